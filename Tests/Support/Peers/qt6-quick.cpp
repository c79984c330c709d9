// A window of Qt Quick with sources and drop areas of the QML module Carry. It prints what happens.
//
// Row 50 of the list is at its top, forty pixels a row; the right end of a row takes presses itself, and so does the
// middle of the drop area.
#include "CarryQuick.h"
#include <QGuiApplication>
#include <QQmlApplicationEngine>
#include <cstdio>

static const char page[] = R"(
import QtQuick
import QtQuick.Window
import Carry as Carry

Window {
    width: 1000; height: 600; visible: true; flags: Qt.FramelessWindowHint
    ListView {
        x: 20; y: 20; width: 200; height: 400; model: 200; clip: true
        delegate: Rectangle {
            id: row; width: 200; height: 40; color: index % 2 ? "lightblue" : "white"
            required property int index
            Text { text: "row " + row.index }
            Carry.DragSource {
                anchors.fill: parent; text: "row " + row.index
                onDragStarted: console.log("started " + row.index)
                onDragFinished: action => console.log("finished " + action)
            }
            MouseArea { x: 150; width: 50; height: 40 }
        }
        Component.onCompleted: positionViewAtIndex(50, ListView.Beginning)
    }
    Rectangle {
        x: 600; y: 20; width: 300; height: 300; color: area.containsDrag ? "gold" : "tomato"
        Carry.DropArea {
            id: area; anchors.fill: parent; accepts: ["text/plain"]
            onEntered: (drop, x, y) => console.log("entered " + drop.count + " of " + drop.formats)
            onExited: console.log("exited")
            onDropped: (drop, x, y) => {
                drop.text((text, error) => console.log("text " + text))
                drop.load(0, drop.formats[0], (bytes, error) => console.log("bytes " + bytes.byteLength))
            }
        }
        MouseArea { x: 100; y: 100; width: 100; height: 100 }
    }
}
)";

int main(int argc, char **argv) {
  qInstallMessageHandler([](QtMsgType, const QMessageLogContext &, const QString &line) {
    printf("%s\n", qPrintable(line));
    fflush(stdout);
  });
  QGuiApplication app(argc, argv);
  qmlRegisterType<CarryQuickSource>("Carry", 1, 0, "DragSource");
  qmlRegisterType<CarryQuickArea>("Carry", 1, 0, "DropArea");
  QQmlApplicationEngine engine;
  engine.loadData(page);
  return engine.rootObjects().isEmpty() ? 1 : app.exec();
}
