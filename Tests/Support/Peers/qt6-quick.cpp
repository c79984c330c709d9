// A window of Qt Quick with sources, drop areas, springs and item views of the QML module Carry, or another one: a file
// of QML as argument. It prints what happens.
//
// Row 50 of the list is at its top, forty pixels a row; the right end of a row takes presses itself, and so does the
// middle of the drop area. The rows of the two item views have twenty pixels.
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
    component Rows: ListView {
        id: rows
        property string name
        function say() {
            let texts = []
            for (let i = 0; i < model.count; i++) texts.push(model.get(i).name)
            console.log(rows.name + ": " + texts.join(" "))
        }
        y: 20; width: 120; height: 200
        delegate: Component { Text { required property string name; text: name; width: 120; height: 20 } }
        Carry.ItemView.items: row => ({ text: model.get(row).name })
        Carry.ItemView.onMoved: (from, to) => { model.move(from, to, 1); say() }
        Carry.ItemView.onRemoved: row => { model.remove(row); say() }
        Carry.ItemView.onPositionChanged: (drop, row) => drop.setDropAction(Qt.MoveAction)
        Carry.ItemView.onDropped: (drop, row) => drop.text(text => {
            for (const name of text.split("\n")) model.insert(row++, { name })
            say()
        })
    }
    Rows {
        x: 250; name: "left"
        model: ListModel {
            ListElement { name: "a" } ListElement { name: "b" } ListElement { name: "c" }
            ListElement { name: "d" } ListElement { name: "e" }
        }
    }
    Rows {
        x: 420; name: "right"
        model: ListModel { ListElement { name: "x" } ListElement { name: "y" } }
        Carry.ItemView.accepts: ["text/plain"]
    }
    Rectangle {
        x: 250; y: 340; width: 150; height: 60; color: spring.activating ? "gold" : "silver"
        Carry.Spring { id: spring; anchors.fill: parent; onActivated: console.log("sprung") }
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
  qmlRegisterType<CarryQuickSpring>("Carry", 1, 0, "Spring");
  qmlRegisterUncreatableType<CarryQuickView>("Carry", 1, 0, "ItemView", "attached");
  QQmlApplicationEngine engine;
  if (argc > 1) engine.load(QString::fromLocal8Bit(argv[1]));
  else engine.loadData(page);
  return engine.rootObjects().isEmpty() ? 1 : app.exec();
}
