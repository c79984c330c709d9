#ifndef CARRY_QUICK_H
#define CARRY_QUICK_H

/* The QML module Carry: DragSource, DropArea, Spring and ItemView, and the drop that their handlers get. docs/qt.md
   describes them. */
#include "CarryQt.h"
#include <QJSValue>
#include <QQuickItem>
#include <QUrl>
#include <QVariantMap>

class CarryPlace;

/* The place of an item, made on demand. */
std::shared_ptr<CarryPlace> carryPlaceOf(QQuickItem *item);

/* One thing to drag, as QML describes it. */
CarryItem carryQuickItem(const QString &text, const QUrl &url, const QVariantMap &mimeData);

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
  static CarryQuickDrop *of(CarryDrop *drop);
  /* Whether any item is of one of the types; if there are none, always. */
  bool isOneOf(const QStringList &types) const;
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
  explicit CarryQuickDrop(CarryDrop *drop) : QObject(drop), drop(drop) {}
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

class CarryQuickSpring : public QQuickItem {
  Q_OBJECT
  QML_NAMED_ELEMENT(Spring)
  Q_PROPERTY(bool activating READ isActivating NOTIFY activatingChanged)
public:
  explicit CarryQuickSpring(QQuickItem *parent = nullptr);
  ~CarryQuickSpring() override;
  bool isActivating() const;

Q_SIGNALS:
  void activatingChanged();
  void activated(qreal x, qreal y);

private:
  struct Private;
  std::unique_ptr<Private> d;
};

/* Makes a ListView or a GridView take part: its rows lift, and drops arrive between them. */
class CarryQuickView : public QObject {
  Q_OBJECT
  QML_NAMED_ELEMENT(ItemView)
  QML_UNCREATABLE("ItemView is a type to attach")
  QML_ATTACHED(CarryQuickView)
  /* What a press on a row lifts: a function of its number that returns an object with text, url or mimeData, and the
     rect in the row that rises, or an array of such objects. Without one, or without a result, the press is an ordinary
     one. */
  Q_PROPERTY(QJSValue items READ items WRITE setItems NOTIFY itemsChanged)
  Q_PROPERTY(QStringList accepts MEMBER accepts NOTIFY acceptsChanged)
public:
  explicit CarryQuickView(QQuickItem *view);
  ~CarryQuickView() override;
  static CarryQuickView *qmlAttachedProperties(QObject *object);
  QJSValue items() const;
  void setItems(const QJSValue &items);

Q_SIGNALS:
  void itemsChanged();
  void acceptsChanged();
  /* A drag of other things is over the view, and would arrive before a row. */
  void positionChanged(CarryQuickDrop *drop, int row);
  void dropped(CarryQuickDrop *drop, int row);
  /* Move a row of this view: the arguments are those of ListModel.move. Without a handler, rows do not move. */
  void moved(int from, int to);
  /* Another target has received a row by a move: remove it. */
  void removed(int row);

private:
  struct Private;
  std::unique_ptr<Private> d;
  QStringList accepts;
};

#endif
