#ifndef CARRY_QT_H
#define CARRY_QT_H

/**
 * @file CarryQt.h
 * Carry for Qt 6: widgets become drag sources, drop areas and springs.
 *
 *     auto *source = new CarryDragSource(label);
 *     source->items = [=](QPointF) { return QList<CarryItem>{label->text()}; };
 *
 * Each object belongs to its widget, follows it, and is destroyed with it: layout, scrolling, clipping, scale and other
 * windows need no code. Which widget a press or a drag means is what QWidget::childAt says: a button above a drop area
 * stays a button. Everything happens on the GUI thread, in Qt's event loop. Without an engine, and on a platform other
 * than xcb, the objects do nothing; as soon as an engine runs they work.
 *
 * People who drag with keys hear the accessibleName that the widget has when it is first shown, and scripts of
 * carry test find it by that.
 *
 * Points are in the widget's coordinates. Operations are Qt's: a copy, a move, or Qt::IgnoreAction for nothing.
 */
#include <QList>
#include <QMimeData>
#include <QObject>
#include <QPointF>
#include <QRect>
#include <QStringList>
#include <functional>
#include <memory>

class QAbstractItemView;
class QWidget;

/** Marks what the library exports. */
#define CARRY_QT_EXPORT __attribute__((visibility("default")))

/* ----------------------------------------------------------------------------------------------------- Sources --- */

/** One thing that can be dragged. Copies share it. */
class CARRY_QT_EXPORT CarryItem {
public:
  /** A text. */
  CarryItem(const QString &text);
  /**
   * Anything that a QMimeData promises; the item owns it. A format's data is asked for when a target requests it, so a
   * subclass with its own retrieveData can make it then. Addresses of files become the files themselves, each an item.
   */
  CarryItem(QMimeData *data);
  /** A file or folder, which a target can also open in place. */
  static CarryItem file(const QString &path);

  /** The file name under which a target may save the item. */
  CarryItem &setName(const QString &name);
  /** The part of the widget that rises as the item; all of it at first. */
  CarryItem &setRect(const QRect &rect);
  /** Calls `moved` once a target has received the item by a move: remove what it stands for. */
  CarryItem &onMoved(std::function<void()> moved);

private:
  friend class CarryPlace;
  std::shared_ptr<struct CarryItemData> d;
};

/** Makes a widget a drag source: a long press lifts its items. */
class CARRY_QT_EXPORT CarryDragSource : public QObject {
  Q_OBJECT
public:
  explicit CarryDragSource(QWidget *widget);
  ~CarryDragSource() override;

  /**
   * What a press at a point lifts, the last item on top. Without items the press is an ordinary one. Return at once: a
   * finger waits.
   */
  std::function<QList<CarryItem>(QPointF point)> items;
  /** What the tap of another finger adds to a drag of this program, at most once an item. Nothing at first. */
  std::function<QList<CarryItem>(QPointF point)> itemsForAdding;
  /**
   * Whether a press at a point may lift anything. Asked as the press begins, which is an ordinary one otherwise. Always
   * at first.
   */
  std::function<bool(QPointF point)> mayLift;
  /** Whether a drop area of this program may move the items. */
  bool allowsMove = true;
  /** Whether other programs may move the items. CarryItem::onMoved then says what to remove. */
  bool allowsMoveToOthers = false;

Q_SIGNALS:
  /** The finger moves on with the items. */
  void dragStarted();
  /** The drag is over, and any dimming with it. Data may still be requested after a copy or a move. */
  void dragFinished(Qt::DropAction action);
  /** After a copy or a move: everything that the target requested has been delivered, or has failed. */
  void transferred();

private:
  struct Private;
  std::unique_ptr<Private> d;
};

/* -------------------------------------------------------------------------------------------------- Drop areas --- */

/**
 * A drag over a drop area. Valid until the drag is over. Data can be requested within CarryDropArea::dropped only.
 *
 * Requests end with one call of `done`, unless the drop area is destroyed before. `error` is empty, or says why there
 * is no data.
 */
class CARRY_QT_EXPORT CarryDrop : public QObject {
  Q_OBJECT
public:
  ~CarryDrop() override;

  /** The number of items. It may grow while the drag lasts. */
  Q_INVOKABLE int count() const;
  /** The media types of all items. */
  Q_INVOKABLE QStringList formats() const;
  /** The media types of an item, the best one first. */
  Q_INVOKABLE QStringList formats(int item) const;
  /** Whether any item is of this type or a subtype. "image/" and an asterisk is every picture. */
  Q_INVOKABLE bool hasFormat(const QString &format) const;
  /** The file name that the source suggests for an item; empty if it suggests none. */
  Q_INVOKABLE QString name(int item) const;
  /** Whether a move may be proposed. */
  Q_INVOKABLE bool allowsMove() const;
  /** The widget in which the drag began, if that is one of this program; otherwise null. */
  Q_INVOKABLE QObject *source() const;

  /** Sets what a drop would do here, within `entered` and `moved`: a copy, if it is not called. */
  Q_INVOKABLE void setDropAction(Qt::DropAction action);
  /** For a drop that is normally possible but not now, within `entered` and `moved`. Shows a badge and the reason. */
  Q_INVOKABLE void forbid(const QString &reason);

  /** Loads one format of an item. */
  void load(int item, const QString &format, std::function<void(const QByteArray &bytes, const QString &error)> done);
  /** Loads the texts of all items that have one, each a line. */
  void text(std::function<void(const QString &text, const QString &error)> done);
  /**
   * Loads everything: one QMimeData for each item, in their order. They are deleted when `done` returns.
   *
   * An item with a file name is saved too: its address is in urls(), and the file exists until the program ends. Of a
   * large one, there is only the file. A picture is also imageData().
   */
  void mimeData(std::function<void(const QList<QMimeData *> &items)> done);
  /** Saves an item in a folder, as a file or folder under its name or the next free one. */
  void save(int item, const QString &folder, std::function<void(const QString &path, const QString &error)> done);

private:
  friend struct CarryDropSession;
  CarryDrop();
  std::unique_ptr<struct CarryDropSession> d;
};

/** Makes a widget a drop area. */
class CARRY_QT_EXPORT CarryDropArea : public QObject {
  Q_OBJECT
public:
  explicit CarryDropArea(QWidget *widget);
  ~CarryDropArea() override;

  /** The media types that it accepts, such as "text/plain"; empty for all. For other drags its parents are asked. */
  QStringList accepts;
  /** Decides in place of `accepts`, if it is set. */
  std::function<bool(CarryDrop *drop)> acceptsDrop;
  /** Whether a drag that rests at an edge of the scroll area around the widget scrolls it. */
  bool edgeScroll = true;

Q_SIGNALS:
  /** A drag has come over the widget. CarryDrop::setDropAction says what a drop would do. */
  void entered(CarryDrop *drop, QPointF point);
  /** The drag has moved, or what lies beneath it. Return at once. */
  void moved(CarryDrop *drop, QPointF point);
  /** The drag has left the widget, or is over. */
  void exited(CarryDrop *drop);
  /** The items have been dropped: request their data before this returns. */
  void dropped(CarryDrop *drop, QPointF point);

private:
  struct Private;
  std::unique_ptr<Private> d;
};

/* ----------------------------------------------------------------------------------------------------- Springs --- */

/** Lets a hovering drag do what a tap on the widget does, such as clicking a button or showing a tab. */
class CARRY_QT_EXPORT CarrySpring : public QObject {
  Q_OBJECT
public:
  /** For a QTabWidget, its tab bar is meant. */
  explicit CarrySpring(QWidget *widget);
  ~CarrySpring() override;

  /**
   * Whether the widget may spring at a point. Always at first, but not on the tab that is shown. If it is set, a drag
   * that stays over the widget can spring one part after another.
   */
  std::function<bool(QPointF point)> maySpring;
  /** What happens instead of a click. */
  std::function<void(QPointF point)> action;

Q_SIGNALS:
  /** A drag is about to spring the widget: true; it has sprung, or the drag has left: false. */
  void activating(bool isActivating);
  /** A drag has hovered for long enough, and `action` has happened. */
  void activated(QPointF point);

private:
  struct Private;
  std::unique_ptr<Private> d;
};

/* -------------------------------------------------------------------------------------------------- Item views --- */

/**
 * Makes an item view take part, by its model.
 *
 * A press lifts the row beneath it, or the whole selection if that row is selected: the model's mimeData, an item for
 * each row. Taps add rows. A drop arrives in the model's dropMimeData, at the row under the drag; canDropMimeData sees
 * the formats, but no data. A move, which the view's defaultDropAction or a drag within the view proposes, removes the
 * rows. A drag at an edge scrolls the view, and one that hovers over a closed branch of a tree opens it.
 */
class CARRY_QT_EXPORT CarryItemView : public QObject {
  Q_OBJECT
public:
  /** Attaches the view, once; the result belongs to it. */
  static CarryItemView *attach(QAbstractItemView *view);
  ~CarryItemView() override;

  /** The view's source, for its signals and whether it allows moves to others. */
  CarryDragSource *source() const;
  /** The view's drop area. */
  CarryDropArea *dropArea() const;

private:
  explicit CarryItemView(QAbstractItemView *view);
  struct Private;
  std::unique_ptr<Private> d;
};

#endif
