#ifndef CARRY_QT_PRIVATE_H
#define CARRY_QT_PRIVATE_H

#include "CarryQt.h"
#include <QElapsedTimer>
#include <QPointer>
#include <QRectF>
#include <QSocketNotifier>
#include <QTimer>
#include <QWindow>
#include <carry.h>
#include <vector>

/* ------------------------------------------------------------------------------------------------------- Roles --- */

/* What a place can be. The objects of the programmer's implement these. */
struct CarrySourceRole {
  virtual ~CarrySourceRole() = default;
  virtual bool mayLift(QPointF point) = 0;
  virtual QList<CarryItem> items(QPointF point, bool isAdding) = 0;
  virtual bool allowsMove(bool toOthers) = 0;
  virtual void started() = 0;
  virtual void finished(Qt::DropAction action) = 0;
  virtual void transferred() = 0;
};

struct CarryTargetRole {
  virtual ~CarryTargetRole() = default;
  virtual QObject *object() = 0; /* without which nothing that was dropped is of use */
  virtual bool accepts(CarryDrop *drop) = 0;
  virtual bool edgeScrolls() = 0;
  virtual void entered(CarryDrop *drop, QPointF point) = 0;
  virtual void moved(CarryDrop *drop, QPointF point) = 0;
  virtual void exited(CarryDrop *drop) = 0;
  virtual void dropped(CarryDrop *drop, QPointF point) = 0;
};

struct CarrySpringRole {
  virtual ~CarrySpringRole() = default;
  virtual bool hasParts() = 0; /* whether one may spring after another */
  virtual bool maySpring(QPointF point) = 0;
  virtual void activating(bool isActivating) = 0;
  virtual void activated(QPointF point) = 0;
};

/* ------------------------------------------------------------------------------------------------------ Places --- */

/* A widget with roles, and the region that covers its visible rectangle. The region only wakes the library up: Qt's
   own pick decides which widget is meant. A place outlives its widget while a drag out of it runs. */
class CARRY_QT_EXPORT CarryPlace : public std::enable_shared_from_this<CarryPlace> {
public:
  using Accepts = std::function<bool(CarryPlace &place)>;
  enum Role { Drag, Drop, Spring };

  virtual ~CarryPlace();
  bool has(Role role) const;
  void setSource(CarrySourceRole *role);
  void setTarget(CarryTargetRole *role);
  void setSpring(CarrySpringRole *role);
  void setEnabled(uint32_t interaction, bool isEnabled);

  /* Keeps the region where the widget is. A widget that has never been visible has no region. */
  void update();
  /* Finds the place that a point of the region means; null for none.
     point: pixels of the region, and then the point in the found widget's coordinates. */
  std::shared_ptr<CarryPlace> route(Role role, QPointF &point, const Accepts &accepts = nullptr);
  /* A rectangle of the widget in pixels of the region, as far as it is visible. */
  QRect pixels(const QRectF &rect);

  /* The widget; null once it is gone. */
  virtual QObject *object() const = 0;
  /* The window whose X window holds the visible part; null if nothing can be seen. */
  virtual QWindow *window() const = 0;
  virtual qreal scale() const = 0;
  /* What the widget is called when it is first shown. */
  virtual QString label() const { return {}; }
  /* Whether the window takes all touches of the screen for itself. */
  virtual bool isPopup() const { return false; }
  /* The visible part, in the window's coordinates. */
  virtual QRectF visible() const = 0;
  virtual QPointF toWindow(QPointF point) const = 0;
  /* Finds the place that a point of the window means, and makes it a point of that place's widget. */
  virtual std::shared_ptr<CarryPlace> pick(Role role, QPointF &point, const Accepts &accepts) const = 0;
  /* How fast what lies around the widget is to scroll for a drag at a point: -1 to 1 each way, 0 away from edges. */
  virtual QPointF edgeSpeed(QPointF point) const = 0;
  virtual void scroll(QPointF pixels) = 0;

  CarrySourceRole *source = nullptr;
  CarryTargetRole *target = nullptr;
  CarrySpringRole *spring = nullptr;
  carry_region *region = nullptr;
  QRect rect;               /* of the region, in pixels of its X window */
  QList<CarryDrop *> drops; /* over the region */

  /* What an item is. */
  static std::shared_ptr<struct CarryItemData> data(const CarryItem &item) { return item.d; }

protected:
  /* The widget is gone, or has no roles any more. */
  virtual void close();

private:
  void attachSource();
  void attachTarget();
  void attachSpring();
  void destroyRegion();

  WId xid = 0;
};

/* A window with places: looked through at the end of the turns in which something may have moved, and of no others. */
class CARRY_QT_EXPORT CarryWatcher : public QObject {
public:
  explicit CarryWatcher(QObject *window) : QObject(window) {}
  void add(CarryPlace *place);
  void remove(CarryPlace *place);
  /* Something may have moved. */
  void look();
  void update();

private:
  std::vector<CarryPlace *> places;
  bool isDirty = false;
};

/* How fast to scroll at a point of a length: 0 away from its ends. */
CARRY_QT_EXPORT double carryEdgeSpeed(double at, double length);

/* The place of a widget, made on demand; null for none. */
std::shared_ptr<CarryPlace> carryPlaceOf(QWidget *widget);

/* The program's connection, served from Qt's event loop. */
class CarryConnection : public QObject {
public:
  /* Null on a platform that is not xcb. */
  static CarryConnection *get();
  ~CarryConnection() override;

  /* Looks at a window at the end of the turn; null for none. Then sends what was requested. */
  void later(CarryWatcher *watcher);
  carry_client *const client;

private:
  explicit CarryConnection(carry_client *client);
  void dispatch();
  void endTurn();

  QSocketNotifier notifier;
  QTimer turn;
  QList<QPointer<CarryWatcher>> dirty;
};

/* ------------------------------------------------------------------------------------------------------- Items --- */

struct CarryItemData : std::enable_shared_from_this<CarryItemData> {
  explicit CarryItemData(QMimeData *data);
  /* It has arrived by a move. Only the first call counts. */
  void wasMoved();

  std::shared_ptr<QMimeData> mime;
  QString name;
  QRect rect;
  std::function<void()> moved;
};

/* ------------------------------------------------------------------------------------------------------- Drops --- */

struct CarryDropSession {
  static CarryDrop *of(CarryPlace &from, carry_drop_session *session);
  static CarryDropSession &of(CarryDrop *drop) { return *drop->d; }
  /* The drag is over for the region. */
  static void end(CarryDrop *drop);
  void leave();
  void scrollAt(QPointF point);
  void scroll();
  /* The item's data if the drag began in this program, otherwise null. */
  CARRY_QT_EXPORT std::shared_ptr<CarryItemData> local(int item) const;
  /* What to do once an item has arrived. */
  std::function<void()> arrival(int item) const;
  const char *textType(int item) const;
  void load(int item, const QString &format, size_t limit,
            std::function<void(const QByteArray &bytes, const QString &error)> done);
  /* The formats of all items, without data. */
  std::unique_ptr<QMimeData> promised() const;

  CarryDrop *drop = nullptr;
  carry_drop_session *session = nullptr; /* null when it is over */
  std::shared_ptr<CarryPlace> from;      /* whose region the drag is over */
  std::shared_ptr<CarryPlace> place;     /* the drop area; null while the drag is over none */
  QPointer<QObject> area;                /* of the place, while a drop is performed */
  int32_t operation = CARRY_OPERATION_COPY;
  bool isPerforming = false;
  bool reportsMoves = true; /* as soon as data has arrived; an item view does when its model has taken it */
  QTimer timer;
  QElapsedTimer clock;
  QPointF speed;
};

/* Where a drag began. */
QObject *carryDragOrigin(carry_drag_session *session);

#endif
