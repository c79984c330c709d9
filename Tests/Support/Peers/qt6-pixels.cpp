// Asks at every pixel of a window which widget is meant, by the region that covers it and by QWidget::childAt. Prints how
// many pixels differ, and where.
#include "CarryQtPrivate.h"
#include <QApplication>
#include <QBitmap>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedWidget>
#include <QTabWidget>
#include <cmath>
#include <cstdio>
#include <map>

static std::map<QWidget *, CarryDragSource *> sources;
static std::map<QWidget *, CarryDropArea *> areas;

template <typename Widget> static Widget *put(Widget *widget, QWidget *parent, int x, int y, int width, int height) {
  widget->setParent(parent);
  widget->setGeometry(x, y, width, height);
  return widget;
}

// Both a source and an area.
template <typename Widget> static Widget *attach(Widget *widget) {
  sources[widget] = new CarryDragSource(widget);
  areas[widget] = new CarryDropArea(widget);
  return widget;
}

static QScrollArea *scrolled(QWidget *content, QWidget *parent, int x, int y, int width, int height) {
  auto *area = put(new QScrollArea, parent, x, y, width, height);
  area->setWidget(content);
  return area;
}

static void makeScenes(QWidget *window) {
  // Overlapping, nested, and one that was attached before what contains it.
  attach(put(new QLabel("below"), window, 10, 10, 90, 50));
  attach(put(new QLabel("above"), window, 60, 30, 90, 50));
  auto *outer = put(new QWidget, window, 170, 10, 120, 80), *inner = put(new QWidget, outer, 20, 20, 140, 30);
  attach(inner), attach(outer);
  put(new QPushButton("a button"), inner, 10, 5, 60, 20);
  // What the mouse does not see, what has a shape, and what hangs over its parent's edge.
  auto *glass = put(new QLabel, window, 10, 90, 140, 40);
  attach(put(new QLabel("under glass"), window, 20, 95, 80, 60));
  glass->setAttribute(Qt::WA_TransparentForMouseEvents);
  glass->raise();
  auto *round = attach(put(new QLabel("round"), window, 170, 100, 100, 60));
  round->setMask(QRegion(0, 0, 100, 60, QRegion::Ellipse));
  attach(put(new QLabel("wide"), put(new QWidget, window, 10, 165, 60, 30), 20, 5, 100, 60));
  // A scroll area in a scroll area, both scrolled.
  auto *far = new QWidget, *near = new QWidget;
  far->resize(300, 400), near->resize(200, 400);
  for (int i = 0; i < 20; i++) attach(put(new QLabel(QString("row %1").arg(i)), near, 5, i * 20, 150, 17));
  auto *in = scrolled(near, far, 30, 60, 140, 150), *out = scrolled(far, window, 10, 210, 160, 120);
  attach(far);
  out->verticalScrollBar()->setValue(45), out->horizontalScrollBar()->setValue(12);
  in->verticalScrollBar()->setValue(133);
  // Pages of which one is seen.
  auto *tabs = put(new QTabWidget, window, 190, 170, 130, 80);
  tabs->addTab(attach(new QLabel("one")), "1"), tabs->addTab(attach(new QLabel("two")), "2");
  auto *stack = put(new QStackedWidget, window, 190, 260, 130, 60);
  stack->addWidget(attach(new QLabel("hidden"))), stack->addWidget(attach(new QLabel("shown")));
  stack->setCurrentIndex(1);
  // One with an X window of its own, moved afterwards: to a whole pixel, since X windows lie on pixels.
  auto *native = attach(put(new QLabel("native"), window, 300, 20, 30, 60));
  native->winId();
  native->move(298, 28);
}

// What childAt finds, or what contains it. A press on what takes presses means nothing else.
static QWidget *expected(QWidget *window, QPoint point, CarryPlace::Role role) {
  QWidget *w = window->childAt(point);
  for (w = w ? w : window; w; w = w == window ? nullptr : w->parentWidget()) {
    if (sources.count(w)) return w;
    const bool takesPresses = qobject_cast<QPushButton *>(w) || qobject_cast<QScrollBar *>(w) || w->inherits("QTabBar");
    if (role == CarryPlace::Drag && takesPresses) return nullptr;
  }
  return nullptr;
}

int main(int argc, char **argv) {
  /* Otherwise one X window would make X windows of all. */
  QCoreApplication::setAttribute(Qt::AA_DontCreateNativeWidgetSiblings);
  QApplication app(argc, argv);
  app.setStyle("Fusion");
  QWidget window;
  window.setGeometry(0, 0, 340, 340);
  makeScenes(&window);
  window.show();
  while (!window.windowHandle()->isExposed()) app.processEvents(QEventLoop::WaitForMoreEvents);

  std::vector<std::pair<QPoint, std::shared_ptr<CarryPlace>>> places;
  for (const auto &[widget, source] : sources) {
    const auto place = carryPlaceOf(widget);
    place->update();
    QWidget *native = widget->internalWinId() ? widget : widget->nativeParentWidget();
    const QPointF corner = QPointF(native->mapTo(&window, QPoint())) * window.devicePixelRatioF();
    places.push_back({QPoint(int(std::round(corner.x())), int(std::round(corner.y()))), place});
  }

  int wrong = 0, found = 0;
  const qreal scale = window.devicePixelRatioF();
  const QSize size(int(window.width() * scale), int(window.height() * scale));
  const auto report = [&](const char *what, int x, int y, CarryPlace::Role role, QWidget *right) {
    if (wrong++ < 10)
      printf("%s at %d,%d as %s: not %s\n", what, x, y, role == CarryPlace::Drag ? "source" : "area",
             right ? qPrintable(right->property("text").toString()) : "nothing");
  };
  for (int y = 0; y < size.height(); y++)
    for (int x = 0; x < size.width(); x++)
      for (const auto role : {CarryPlace::Drag, CarryPlace::Drop}) {
        QWidget *right = expected(&window, QPoint(int((x + 0.5) / scale), int((y + 0.5) / scale)), role);
        bool isCovered = false;
        for (const auto &[corner, place] : places) {
          const QPoint pixel = QPoint(x, y) - corner;
          if (!place->rect.contains(pixel)) continue;
          isCovered = true;
          QPointF point = QPointF(pixel - place->rect.topLeft()) + QPointF(0.5, 0.5);
          const auto routed = place->route(role, point);
          if ((routed ? routed->object() : nullptr) != right) report("wrong", x, y, role, right);
        }
        if (right) found++;
        if (right && !isCovered) report("missed", x, y, role, right);
      }
  printf("scale %g: %d pixels, %d meant something, %d wrong\n", scale, size.width() * size.height(), found / 2, wrong);
  return wrong != 0;
}
