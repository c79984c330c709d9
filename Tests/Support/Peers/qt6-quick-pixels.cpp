// Asks at every pixel of a window of Qt Quick which item is meant, by the regions that cover it and by the delivery of a
// press to the same scene in which mouse areas are in the places of Carry's items. Prints how many pixels differ.
#include "CarryQtPrivate.h"
#include "CarryQuick.h"
#include <QGuiApplication>
#include <QMouseEvent>
#include <QQmlApplicationEngine>
#include <QQmlContext>
#include <QQuickWindow>
#include <cstdio>

// Probes are what is compared; a MouseArea is in the way.
static const char scenes[] = R"(
import QtQuick
import QtQuick.Window
import Carry as Carry

Window {
    id: window
    width: 240; height: 200; visible: true
    Rectangle {
        x: 5; y: 5; width: 60; height: 50; color: "gray"
        Probe { objectName: "nested outer"; anchors.fill: parent
            Probe { objectName: "nested inner"; x: 20; y: 20; width: 60; height: 20 } }
        MouseArea { x: 10; y: 8; width: 20; height: 20 }
        Text { text: "on top"; anchors.bottom: parent.bottom }
    }
    Probe { objectName: "high"; x: 80; y: 5; width: 50; height: 40; z: 2 }
    Probe { objectName: "low"; x: 100; y: 20; width: 50; height: 40; z: 1
        Probe { objectName: "behind its parent"; x: -20; y: 10; width: 60; height: 40; z: -1 } }
    Item { x: 160; y: 5; width: 50; height: 50; clip: true
        Probe { objectName: "clipped"; x: -20; y: -20; width: 60; height: 60; rotation: 30 }
        Probe { objectName: "turned"; x: 25; y: 25; width: 40; height: 15; rotation: 30; scale: 1.3 } }
    Item { x: 5; y: 75; width: 50; height: 40; enabled: false; Probe { objectName: "disabled"; anchors.fill: parent } }
    Probe { objectName: "hidden"; x: 5; y: 75; width: 50; height: 40; visible: false }
    Probe { objectName: "faint"; x: 65; y: 75; width: 30; height: 30; opacity: 0 }
    Flickable {
        x: 5; y: 125; width: 100; height: 70; contentWidth: 200; contentHeight: 300; contentX: 12; contentY: 33; clip: true
        Probe { objectName: "page"; x: 4; y: 4; width: 180; height: 280 }
        ListView {
            x: 30; y: 40; width: 120; height: 60; model: 20; clip: true; spacing: 3; contentY: 46
            delegate: Probe { objectName: "row " + index; required property int index; width: 110; height: 17 }
        }
    }
    GridView {
        x: 115; y: 75; width: 120; height: 120; cellWidth: 38; cellHeight: 31; model: 40; clip: true
        contentY: 50
        delegate: Item { required property int index; width: 38; height: 31
            Probe { objectName: "cell " + index; anchors { fill: parent; margins: 3 }
                MouseArea { visible: index % 3 === 0; width: 10; height: 10 } } }
    }
}
)";

static QQuickWindow *load(QQmlEngine &engine, const QByteArray &probe) {
  QQmlComponent component(&engine);
  component.setData(QByteArray(scenes).replace("Probe {", probe), QUrl());
  auto *window = qobject_cast<QQuickWindow *>(component.create());
  if (!window) qFatal("%s", qPrintable(component.errorString()));
  window->setPosition(0, 0);
  while (!window->isExposed()) QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
  return window;
}

static void find(QQuickItem *item, std::vector<QQuickItem *> &probes) {
  if (item->inherits("CarryQuickArea") || item->inherits("CarryQuickSource")) probes.push_back(item);
  for (QQuickItem *child : item->childItems()) find(child, probes);
}

// The item that a press is delivered to: the first one that is asked accepts it.
static QQuickItem *pressed;
class Recorder : public QObject {
  bool eventFilter(QObject *object, QEvent *event) override {
    if (event->type() == QEvent::MouseButtonPress && object->inherits("QQuickMouseArea"))
      pressed = static_cast<QQuickItem *>(object);
    return false;
  }
};

static QString nameOf(const QObject *item) { return item ? item->objectName() : QString(); }

// What the press means: the item that it is delivered to, or for an area what that one lies in.
static QString expected(QQuickWindow *window, QPointF point, CarryPlace::Role role) {
  pressed = nullptr;
  for (const auto type : {QEvent::MouseButtonPress, QEvent::MouseButtonRelease}) {
    QMouseEvent event(type, point, point, Qt::LeftButton, type == QEvent::MouseButtonPress ? Qt::LeftButton : Qt::NoButton,
                      Qt::NoModifier);
    QCoreApplication::sendEvent(window, &event);
  }
  QQuickItem *item = pressed;
  while (role == CarryPlace::Drop && item && item->objectName().isEmpty()) item = item->parentItem();
  return nameOf(item);
}

int main(int argc, char **argv) {
  QGuiApplication app(argc, argv);
  qmlRegisterType<CarryQuickSource>("Carry", 1, 0, "DragSource");
  qmlRegisterType<CarryQuickArea>("Carry", 1, 0, "DropArea");
  QQmlEngine engine;
  Recorder recorder;
  app.installEventFilter(&recorder);
  QQuickWindow *mice = load(engine, "MouseArea {");
  int wrong = 0;
  for (const auto role : {CarryPlace::Drag, CarryPlace::Drop}) {
    const bool isDrag = role == CarryPlace::Drag;
    QQuickWindow *window = load(engine, isDrag ? "Carry.DragSource { text: objectName;" : "Carry.DropArea {");
    std::vector<std::shared_ptr<CarryPlace>> places;
    std::vector<QQuickItem *> probes;
    find(window->contentItem(), probes);
    for (QQuickItem *probe : probes) {
      places.push_back(carryPlaceOf(probe));
      places.back()->update();
    }
    const qreal scale = window->effectiveDevicePixelRatio();
    int pixels = 0, found = 0;
    for (int y = 0; y < int(window->height() * scale); y++)
      for (int x = 0; x < int(window->width() * scale); x++, pixels++) {
        const QPointF centre(x + 0.5, y + 0.5);
        const QString right = expected(mice, centre / scale, role);
        bool isCovered = right.isEmpty();
        if (!isCovered) found++;
        const auto report = [&](const QString &said) {
          if (wrong++ < 10) printf("%d,%d: '%s', not '%s'\n", x, y, qPrintable(said), qPrintable(right));
        };
        for (const auto &place : places) {
          if (!place->rect.contains(x, y)) continue;
          QPointF point = centre - place->rect.topLeft();
          const auto routed = place->route(role, point);
          isCovered = true;
          if (nameOf(routed ? routed->object() : nullptr) != right) report(nameOf(routed ? routed->object() : nullptr));
        }
        if (!isCovered) report("no region");
      }
    printf("scale %g: %d pixels, %d meant %s, %d wrong\n", scale, pixels, found, isDrag ? "a source" : "an area", wrong);
    delete window;
  }
  return wrong != 0;
}
