#ifndef CARRY_QUICK_H
#define CARRY_QUICK_H

/* The QML module Carry: DragSource and DropArea, and the drop that their handlers get. docs/qt.md describes them. */
#include "CarryQt.h"
#include <QJSValue>
#include <QQuickItem>
#include <QUrl>
#include <QVariantMap>

class CarryQuickSource : public QQuickItem {
  Q_OBJECT
  QML_NAMED_ELEMENT(DragSource)
  /* What a press lifts: all of it together is one item. */
  Q_PROPERTY(QString text MEMBER text NOTIFY contentChanged)
  Q_PROPERTY(QUrl url MEMBER url NOTIFY contentChanged)
  Q_PROPERTY(QVariantMap mimeData MEMBER mimeData NOTIFY contentChanged)
  Q_PROPERTY(bool active READ isActive NOTIFY activeChanged)
public:
  explicit CarryQuickSource(QQuickItem *parent = nullptr);
  ~CarryQuickSource() override;
  bool isActive() const;

Q_SIGNALS:
  void contentChanged();
  void activeChanged();
  void dragStarted();
  void dragFinished(int action);
  void transferred();

private:
  struct Private;
  std::unique_ptr<Private> d;
  QString text;
  QUrl url;
  QVariantMap mimeData;
};

class CarryQuickDrop : public QObject {
  Q_OBJECT
  QML_ANONYMOUS
  Q_PROPERTY(int count READ count)
  Q_PROPERTY(QStringList formats READ formats)
  Q_PROPERTY(bool allowsMove READ allowsMove)
public:
  explicit CarryQuickDrop(CarryDrop *drop) : QObject(drop), drop(drop) {}
  int count() const { return drop->count(); }
  QStringList formats() const { return drop->formats(); }
  bool allowsMove() const { return drop->allowsMove(); }
  Q_INVOKABLE bool hasFormat(const QString &format) const { return drop->hasFormat(format); }
  Q_INVOKABLE QString name(int item) const { return drop->name(item); }
  Q_INVOKABLE void setDropAction(int action) { drop->setDropAction(Qt::DropAction(action)); }
  Q_INVOKABLE void forbid(const QString &reason) { drop->forbid(reason); }

  /* The functions get the result, and an error that is empty if there is none. */
  Q_INVOKABLE void text(const QJSValue &done);
  Q_INVOKABLE void load(int item, const QString &format, const QJSValue &done);
  Q_INVOKABLE void save(int item, const QUrl &folder, const QJSValue &done);

private:
  CarryDrop *drop;
};

class CarryQuickArea : public QQuickItem {
  Q_OBJECT
  QML_NAMED_ELEMENT(DropArea)
  Q_PROPERTY(QStringList accepts MEMBER accepts NOTIFY acceptsChanged)
  Q_PROPERTY(bool containsDrag READ containsDrag NOTIFY containsDragChanged)
public:
  explicit CarryQuickArea(QQuickItem *parent = nullptr);
  ~CarryQuickArea() override;
  bool containsDrag() const;

Q_SIGNALS:
  void acceptsChanged();
  void containsDragChanged();
  void entered(CarryQuickDrop *drop, qreal x, qreal y);
  void positionChanged(CarryQuickDrop *drop, qreal x, qreal y);
  void exited();
  void dropped(CarryQuickDrop *drop, qreal x, qreal y);

private:
  struct Private;
  std::unique_ptr<Private> d;
  QStringList accepts;
};

#endif
