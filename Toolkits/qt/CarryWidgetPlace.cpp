/* Widgets as places. */
#include "CarryQtPrivate.h"
#include <QAbstractScrollArea>
#include <QAbstractSlider>
#include <QEvent>
#include <QGuiApplication>
#include <QHash>
#include <QMenuBar>
#include <QScrollArea>
#include <QScrollBar>
#include <QSizeGrip>
#include <QSplitter>
#include <QTabBar>
#include <QWidget>
#include <cmath>

namespace {

/* A top-level window. What can move a widget makes it paint, resize or lay out. */
class WidgetWatcher : public CarryWatcher {
public:
  static WidgetWatcher *of(QWidget *window) {
    for (QObject *child : window->children())
      if (auto *watcher = dynamic_cast<WidgetWatcher *>(child)) return watcher;
    return new WidgetWatcher(window);
  }

private:
  explicit WidgetWatcher(QWidget *window) : CarryWatcher(window) { window->installEventFilter(this); }

  bool eventFilter(QObject *window, QEvent *event) override {
    switch (event->type()) {
      case QEvent::UpdateRequest:
      case QEvent::Resize:
      case QEvent::LayoutRequest:
      case QEvent::Show:
      case QEvent::Hide:
      case QEvent::WinIdChange: look(); break;
      default: break;
    }
    return CarryWatcher::eventFilter(window, event);
  }
};

class WidgetPlace : public QObject, public CarryPlace {
public:
  static QHash<const QWidget *, std::shared_ptr<WidgetPlace>> &all() {
    static QHash<const QWidget *, std::shared_ptr<WidgetPlace>> places;
    return places;
  }

  explicit WidgetPlace(QWidget *widget) : widget(widget), key(widget) {
    widget->installEventFilter(this);
    follow();
  }

  ~WidgetPlace() override { leave(); }

private:
  bool eventFilter(QObject *object, QEvent *event) override {
    switch (event->type()) {
      case QEvent::Show:
      case QEvent::Hide:
      case QEvent::Resize:
      case QEvent::Move:
      case QEvent::ParentChange: follow(); break;
      case QEvent::Enter: QTimer::singleShot(0, this, [this] { grabPopup(false); }); break;
      case QEvent::Leave: grabPopup(true); break;
      default: break;
    }
    return QObject::eventFilter(object, event);
  }

  /* A popup grabs the mouse for clicks beside it. While it does, no click on a source can become a drag. A finger that
     comes down enters, too, and needs the grab. */
  void grabPopup(bool grabs) {
    if (!source || !isPopup() || !window() || (!grabs && QGuiApplication::mouseButtons() != Qt::NoButton)) return;
    window()->setMouseGrabEnabled(grabs);
  }

  bool isPopup() const override { return widget && widget->window()->windowType() == Qt::Popup; }

  void leave() {
    if (watcher) watcher->remove(this);
    watcher = nullptr;
  }

  /* A widget in another window is shown anew there. */
  void follow() {
    if (!widget) return;
    QWidget *top = widget->window();
    if (watcher && watcher->parent() == top) return watcher->look();
    leave();
    watcher = WidgetWatcher::of(top);
    watcher->add(this);
  }

  void close() override {
    /* The last reference may be this one. */
    const auto self = all().take(key);
    leave();
    CarryPlace::close();
  }

  /* The widget that has the X window which shows this one. */
  QWidget *native() const {
    if (!widget || !widget->isVisible()) return nullptr;
    return widget->internalWinId() ? widget.data() : widget->nativeParentWidget();
  }

  QObject *object() const override { return widget; }

  QString label() const override { return widget->accessibleName(); }

  QWindow *window() const override {
    QWidget *native = this->native();
    return native ? native->windowHandle() : nullptr;
  }

  qreal scale() const override { return native()->devicePixelRatioF(); }

  /* Not visibleRegion(), from which opaque children are cut, although their presses may mean this widget. */
  QRectF visible() const override {
    QRect bounds = widget->rect();
    for (QWidget *w = widget, *end = native(); w != end && !bounds.isEmpty(); w = w->parentWidget())
      bounds = bounds.translated(w->pos()).intersected(w->parentWidget()->rect());
    return bounds;
  }

  QPointF toWindow(QPointF point) const override { return widget->mapTo(native(), point); }

  std::shared_ptr<CarryPlace> pick(Role role, QPointF &point, const Accepts &accepts) const override {
    QWidget *top = widget->window();
    const QPointF at = native()->mapTo(top, point);
    QWidget *w = top->childAt(int(std::floor(at.x())), int(std::floor(at.y())));
    for (w = w ? w : top; w; w = w == top ? nullptr : w->parentWidget()) {
      const auto place = all().value(w);
      if (place && place->has(role)) {
        point = w->mapFrom(top, at);
        if (!accepts || accepts(*place)) return place;
      }
      if (role == Drag && ownsPresses(w)) return nullptr;
    }
    return nullptr;
  }

  /* Whether a widget handles presses itself, as buttons, sliders and lists do; labels and frames do not. */
  static bool ownsPresses(QWidget *w) {
    if (qobject_cast<QScrollArea *>(w)) return false;
    return (w->focusPolicy() & Qt::ClickFocus) == Qt::ClickFocus || qobject_cast<QAbstractSlider *>(w) ||
           qobject_cast<QTabBar *>(w) || qobject_cast<QSplitterHandle *>(w) || qobject_cast<QSizeGrip *>(w) ||
           qobject_cast<QMenuBar *>(w);
  }

  QAbstractScrollArea *scrollArea() const {
    for (QWidget *w = widget; w && !w->isWindow(); w = w->parentWidget())
      if (auto *area = qobject_cast<QAbstractScrollArea *>(w->parentWidget()))
        if (area->viewport() == w) return area;
    return nullptr;
  }

  QPointF edgeSpeed(QPointF point) const override {
    QAbstractScrollArea *area = scrollArea();
    if (!area) return QPointF();
    const QPointF at = widget->mapTo(area, point) - area->viewport()->pos();
    return {carryEdgeSpeed(at.x(), area->viewport()->width()), carryEdgeSpeed(at.y(), area->viewport()->height())};
  }

  void scroll(QPointF pixels) override {
    QAbstractScrollArea *area = scrollArea();
    if (!area) return;
    scroll(area->horizontalScrollBar(), pixels.x(), area->viewport()->width(), rest.rx());
    scroll(area->verticalScrollBar(), pixels.y(), area->viewport()->height(), rest.ry());
  }

  /* A bar counts in pixels, or in rows: its page says in which. Less than a step is kept for the next time. */
  static void scroll(QScrollBar *bar, qreal pixels, int length, qreal &rest) {
    if (length <= 0 || pixels == 0) return;
    const qreal steps = rest + pixels * bar->pageStep() / length;
    bar->setValue(bar->value() + int(steps));
    rest = steps - int(steps);
  }

  QPointer<QWidget> widget;
  const QWidget *key;
  QPointer<WidgetWatcher> watcher;
  QPointF rest;
};

} // namespace

std::shared_ptr<CarryPlace> carryPlaceOf(QWidget *widget) {
  auto &place = WidgetPlace::all()[widget];
  if (!place) place = std::make_shared<WidgetPlace>(widget);
  return place;
}
