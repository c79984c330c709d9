/* Items of Qt Quick as places. */
#include "CarryQuick.h"
#include "CarryQtPrivate.h"
#include <QHash>
#include <QQuickWindow>
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

  /* Accessible.name of the item; the class of its Accessible is Qt's own. */
  QString label() const override {
    for (const QObject *child : item->children())
      if (child->inherits("QQuickAccessibleAttached")) return child->property("name").toString();
    return {};
  }

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

  /* The topmost item at a point that is a place for the role, or takes presses. */
  static QQuickItem *find(QQuickItem *item, QPointF at, Role role) {
    const bool contains = item->contains(item->mapFromScene(at));
    if (!item->isVisible() || !item->isEnabled() || (item->clip() && !contains)) return nullptr;
    QList<QQuickItem *> children = item->childItems();
    std::stable_sort(children.begin(), children.end(), [](auto *a, auto *b) { return a->z() < b->z(); });
    auto child = children.crbegin();
    for (; child != children.crend() && (*child)->z() >= 0; child++)
      if (QQuickItem *found = find(*child, at, role)) return found;
    const auto place = all().value(item).lock();
    if (contains && ((place && place->has(role)) || takesPresses(item) || flicks(item))) return item;
    for (; child != children.crend(); child++)
      if (QQuickItem *found = find(*child, at, role)) return found;
    return nullptr;
  }

  /* It takes presses from what lies behind it. What it lies in can still lift: a long press is no flick. */
  static bool flicks(const QQuickItem *item) {
    return item->inherits("QQuickFlickable") && item->property("interactive").toBool();
  }

  /* Not a text, which asks for presses on its links. */
  static bool takesPresses(const QQuickItem *item) {
    if (item->inherits("QQuickFlickable") || item->inherits("QQuickText")) return false;
    const auto isHandler = [](const QObject *child) { return child->inherits("QQuickPointerHandler"); };
    return item->acceptedMouseButtons() != Qt::NoButton || item->acceptTouchEvents() ||
           std::any_of(item->children().begin(), item->children().end(), isHandler);
  }

  QQuickItem *flickable() const {
    QQuickItem *i = item;
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

std::shared_ptr<CarryPlace> carryPlaceOf(QQuickItem *item) { return QuickPlace::of(item); }
