/* Items of Qt Quick as places. */
#include "CarryQuick.h"
#include "CarryQtPrivate.h"
#include <QHash>
#include <QJSEngine>
#include <QQuickWindow>
#include <QtQml>
#include <algorithm>

namespace {

/* A window. It may have moved items in each frame that it draws, and at no other time. */
class QuickWatcher : public CarryWatcher {
public:
  static QuickWatcher *of(QQuickWindow *window) {
    for (QObject *child : window->children())
      if (auto *watcher = dynamic_cast<QuickWatcher *>(child)) return watcher;
    return new QuickWatcher(window);
  }

private:
  explicit QuickWatcher(QQuickWindow *window) : CarryWatcher(window) {
    connect(window, &QQuickWindow::afterAnimating, this, [this] { look(); });
    connect(window, &QWindow::visibleChanged, this, [this] { look(); });
  }
};

class QuickPlace : public CarryPlace {
public:
  static std::shared_ptr<QuickPlace> of(QQuickItem *item) {
    auto place = all().value(item).lock();
    if (place) return place;
    place = std::make_shared<QuickPlace>(item);
    all().insert(item, place);
    /* An item that is destroyed loses its window last. */
    const std::weak_ptr<QuickPlace> weak = place;
    QObject::connect(item, &QQuickItem::windowChanged, item, [weak] {
      if (const auto place = weak.lock()) place->follow();
    });
    return place;
  }

  explicit QuickPlace(QQuickItem *item) : item(item), key(item) { follow(); }
  ~QuickPlace() override { leave(); }

private:
  static QHash<const QQuickItem *, std::weak_ptr<QuickPlace>> &all() {
    static QHash<const QQuickItem *, std::weak_ptr<QuickPlace>> places;
    return places;
  }

  void leave() {
    if (watcher) watcher->remove(this);
    watcher = nullptr;
  }

  void follow() {
    leave();
    if (!item || !item->window()) return update();
    watcher = QuickWatcher::of(item->window());
    watcher->add(this);
  }

  void close() override {
    all().remove(key);
    leave();
    CarryPlace::close();
  }

  QObject *object() const override { return item; }

  QWindow *window() const override {
    QQuickWindow *window = item ? item->window() : nullptr;
    return window && window->isVisible() && item->isVisible() ? window : nullptr;
  }

  qreal scale() const override { return item->window()->effectiveDevicePixelRatio(); }

  QRectF visible() const override {
    QRectF bounds = item->mapRectToScene(item->boundingRect()) & QRectF(QPointF(), item->window()->size());
    for (QQuickItem *i = item->parentItem(); i; i = i->parentItem())
      if (i->clip()) bounds &= i->mapRectToScene(i->clipRect());
    return bounds;
  }

  QPointF toWindow(QPointF point) const override { return item->mapToScene(point); }

  std::shared_ptr<CarryPlace> pick(Role role, QPointF &point, const Accepts &accepts) const override {
    const QPointF at = point;
    for (QQuickItem *i = find(item->window()->contentItem(), at, role); i; i = i->parentItem()) {
      const auto place = all().value(i).lock();
      if (place && place->has(role)) {
        point = i->mapFromScene(at);
        if (!accepts || accepts(*place)) return place;
      } else if (role == Drag && takesPresses(i)) {
        return nullptr;
      }
    }
    return nullptr;
  }

  /* The topmost item at a point that is a place for the role, or takes presses itself. */
  static QQuickItem *find(QQuickItem *item, QPointF at, Role role) {
    const bool contains = item->contains(item->mapFromScene(at));
    if (!item->isVisible() || !item->isEnabled() || (item->clip() && !contains)) return nullptr;
    QList<QQuickItem *> children = item->childItems();
    std::stable_sort(children.begin(), children.end(), [](auto *a, auto *b) { return a->z() < b->z(); });
    auto child = children.crbegin();
    for (; child != children.crend() && (*child)->z() >= 0; child++)
      if (QQuickItem *found = find(*child, at, role)) return found;
    const auto place = all().value(item).lock();
    if (contains && ((place && place->has(role)) || takesPresses(item))) return item;
    for (; child != children.crend(); child++)
      if (QQuickItem *found = find(*child, at, role)) return found;
    return nullptr;
  }

  /* Not a Flickable: what lies in it lifts after a long press, and a flick is none. */
  static bool takesPresses(const QQuickItem *item) {
    if (item->inherits("QQuickFlickable")) return false;
    const auto isHandler = [](const QObject *child) { return child->inherits("QQuickPointerHandler"); };
    return item->acceptedMouseButtons() != Qt::NoButton || item->acceptTouchEvents() ||
           std::any_of(item->children().begin(), item->children().end(), isHandler);
  }

  QQuickItem *flickable() const {
    QQuickItem *i = item ? item->parentItem() : nullptr;
    while (i && !i->inherits("QQuickFlickable")) i = i->parentItem();
    return i;
  }

  QPointF edgeSpeed(QPointF point) const override {
    const QQuickItem *list = flickable();
    if (!list) return QPointF();
    const QPointF at = item->mapToItem(list, point);
    return {carryEdgeSpeed(at.x(), list->width()), carryEdgeSpeed(at.y(), list->height())};
  }

  void scroll(QPointF pixels) override {
    QQuickItem *list = flickable();
    if (!list) return;
    scroll(list, "contentX", "originX", "contentWidth", list->width(), pixels.x());
    scroll(list, "contentY", "originY", "contentHeight", list->height(), pixels.y());
  }

  static void scroll(QQuickItem *list, const char *at, const char *origin, const char *size, qreal length, qreal by) {
    const qreal least = list->property(origin).toReal();
    const qreal most = std::max(least, least + list->property(size).toReal() - length);
    if (by != 0) list->setProperty(at, std::clamp(list->property(at).toReal() + by, least, most));
  }

  QPointer<QQuickItem> item;
  const QQuickItem *key;
  QPointer<QuickWatcher> watcher;
};

} // namespace

/* ----------------------------------------------------------------------------------------------------- Sources --- */

struct CarryQuickSource::Private : CarrySourceRole {
  explicit Private(CarryQuickSource *q) : q(q), place(QuickPlace::of(q)) {}

  bool mayLift(QPointF) override { return !q->text.isEmpty() || !q->url.isEmpty() || !q->mimeData.isEmpty(); }

  QList<CarryItem> items(QPointF point, bool isAdding) override {
    if (!mayLift(point) || (isAdding && isActive)) return {};
    auto *data = new QMimeData;
    if (!q->text.isEmpty()) data->setText(q->text);
    if (!q->url.isEmpty()) data->setUrls({q->url});
    for (auto i = q->mimeData.cbegin(); i != q->mimeData.cend(); i++) data->setData(i.key(), i.value().toByteArray());
    return {data};
  }

  void setActive(bool active) {
    if (std::exchange(isActive, active) != active) Q_EMIT q->activeChanged();
  }

  bool allowsMove(bool toOthers) override { return !toOthers; }
  void started() override {
    setActive(true);
    Q_EMIT q->dragStarted();
  }
  void finished(Qt::DropAction action) override {
    setActive(false);
    Q_EMIT q->dragFinished(int(action));
  }
  void transferred() override { Q_EMIT q->transferred(); }

  CarryQuickSource *q;
  std::shared_ptr<CarryPlace> place;
  bool isActive = false;
};

CarryQuickSource::CarryQuickSource(QQuickItem *parent) : QQuickItem(parent), d(new Private(this)) {
  d->place->setSource(d.get());
}

CarryQuickSource::~CarryQuickSource() { d->place->setSource(nullptr); }
bool CarryQuickSource::isActive() const { return d->isActive; }

/* -------------------------------------------------------------------------------------------------- Drop areas --- */

void CarryQuickDrop::text(const QJSValue &done) {
  drop->text([done](const QString &text, const QString &error) { done.call({text, error}); });
}

void CarryQuickDrop::load(int item, const QString &format, const QJSValue &done) {
  QJSEngine *engine = qjsEngine(this);
  drop->load(item, format, [done, engine](const QByteArray &bytes, const QString &error) {
    done.call({engine ? engine->toScriptValue(bytes) : QJSValue(), error});
  });
}

void CarryQuickDrop::save(int item, const QUrl &folder, const QJSValue &done) {
  drop->save(item, folder.toLocalFile(), [done](const QString &path, const QString &error) {
    done.call({path.isEmpty() ? QString() : QUrl::fromLocalFile(path).toString(), error});
  });
}

struct CarryQuickArea::Private : CarryTargetRole {
  explicit Private(CarryQuickArea *q) : q(q), place(QuickPlace::of(q)) {}

  static CarryQuickDrop *quick(CarryDrop *drop) {
    auto *quick = drop->findChild<CarryQuickDrop *>(QString(), Qt::FindDirectChildrenOnly);
    return quick ? quick : new CarryQuickDrop(drop);
  }

  QObject *object() override { return q; }
  bool accepts(CarryDrop *drop) override {
    return q->accepts.isEmpty() || std::any_of(q->accepts.cbegin(), q->accepts.cend(),
                                               [drop](const QString &type) { return drop->hasFormat(type); });
  }
  bool edgeScrolls() override { return true; }
  void entered(CarryDrop *drop, QPointF point) override {
    over++;
    Q_EMIT q->containsDragChanged();
    Q_EMIT q->entered(quick(drop), point.x(), point.y());
  }
  void moved(CarryDrop *drop, QPointF point) override { Q_EMIT q->positionChanged(quick(drop), point.x(), point.y()); }
  void exited(CarryDrop *) override {
    over--;
    Q_EMIT q->containsDragChanged();
    Q_EMIT q->exited();
  }
  void dropped(CarryDrop *drop, QPointF point) override { Q_EMIT q->dropped(quick(drop), point.x(), point.y()); }

  CarryQuickArea *q;
  std::shared_ptr<CarryPlace> place;
  int over = 0;
};

CarryQuickArea::CarryQuickArea(QQuickItem *parent) : QQuickItem(parent), d(new Private(this)) {
  d->place->setTarget(d.get());
}

CarryQuickArea::~CarryQuickArea() { d->place->setTarget(nullptr); }
bool CarryQuickArea::containsDrag() const { return d->over > 0; }
