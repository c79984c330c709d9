// Two rectangles: the text of one can be dragged onto the other. Run it with qml6, or /usr/lib/qt6/bin/qml.
import QtQuick
import QtQuick.Window
import Carry as Carry

Window {
    width: 700; height: 400; visible: true
    Rectangle {
        width: 350; height: 400; color: "steelblue"
        Text { anchors.centerIn: parent; text: "Drag me" }
        Carry.DragSource { anchors.fill: parent; text: "Hello from QML"; Accessible.name: "Drag me" }
    }
    Rectangle {
        x: 350; width: 350; height: 400; color: area.containsDrag ? "gold" : "tomato"
        Text { id: label; anchors.centerIn: parent; text: "Drop here" }
        Carry.DropArea {
            id: area; anchors.fill: parent; accepts: ["text/plain"]; Accessible.name: "Drop here"
            onDropped: (drop, x, y) => drop.text(text => label.text = text)
        }
    }
}
