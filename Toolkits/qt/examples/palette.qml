// A palette: drag its colours into other programs, as a colour or as a text such as #3584e4, or onto one another to put
// them in order; drop colours of other programs on it. Run it with qml6, or /usr/lib/qt6/bin/qml.
import QtQuick
import QtQuick.Window
import Carry as Carry

Window {
    id: window
    width: 420; height: 560; visible: true; title: "Palette"; color: "#242429"

    // A colour of the X world: red, green, blue and alpha, 16 bits each.
    function toBytes(colour) {
        return Uint16Array.of(colour.r * 65535, colour.g * 65535, colour.b * 65535, colour.a * 65535).buffer
    }

    function fromBytes(bytes) {
        const [r, g, b] = new Uint16Array(bytes)
        return Qt.rgba(r / 65535, g / 65535, b / 65535, 1)
    }

    function insert(row, colour) {
        colours.insert(row, { shade: colour.toString() })
        message.text = colour + " is in the palette"
    }

    function isColour(text) {
        return /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(text.trim())
    }

    // What is dropped arrives later: each colour goes behind the one before it.
    function receive(drop, row) {
        if (drop.hasFormat("application/x-color")) {
            for (let i = 0; i < drop.count; i++)
                drop.load(i, "application/x-color",
                          (bytes, error) => error ? message.text = error : insert(row++, fromBytes(bytes)))
        } else {
            drop.text((text, error) => {
                const found = text.split("\n").filter(isColour)
                for (const line of found)
                    insert(row++, Qt.color(line.trim()))
                if (error || found.length === 0)
                    message.text = error || "No colour: a text such as #3584e4 is one"
            })
        }
    }

    ListModel {
        id: colours
        Component.onCompleted: {
            for (const shade of ["#e01b24", "#ff7800", "#f6d32d", "#33d17a", "#2190a4", "#3584e4", "#9141ac", "#c061cb",
                                 "#986a44", "#deddda"])
                append({ shade })
        }
    }

    Text {
        id: title
        x: 24; y: 20; text: "Palette"; color: "white"; font { pixelSize: 22; bold: true }
    }

    Text {
        id: message
        x: 24; anchors.baseline: title.baseline; anchors.right: parent.right; anchors.rightMargin: 24
        horizontalAlignment: Text.AlignRight; elide: Text.ElideLeft; leftPadding: title.width + 16
        text: "Drag a colour out, or drop one here"; color: "#9a9aa2"; font.pixelSize: 13
    }

    GridView {
        id: view
        anchors { fill: parent; topMargin: 64; leftMargin: 16; rightMargin: 16 }
        cellWidth: Math.floor(width / 3); cellHeight: 124; clip: true
        model: colours

        Carry.ItemView.items: row => {
            const colour = Qt.color(colours.get(row).shade)
            return {
                text: colour.toString(), mimeData: { "application/x-color": toBytes(colour) },
                rect: Qt.rect(8, 8, view.cellWidth - 16, view.cellHeight - 38)
            }
        }
        Carry.ItemView.accepts: ["application/x-color", "text/plain"]
        Carry.ItemView.onDropped: (drop, row) => receive(drop, row)
        Carry.ItemView.onMoved: (from, to) => colours.move(from, to, 1)

        add: Transition { NumberAnimation { property: "scale"; from: 0; to: 1; duration: 180; easing.type: Easing.OutBack } }
        displaced: Transition { NumberAnimation { properties: "x,y"; duration: 180; easing.type: Easing.OutCubic } }
        move: displaced

        delegate: Item {
            required property string shade
            width: view.cellWidth; height: view.cellHeight
            Rectangle {
                id: swatch
                anchors { fill: parent; margins: 8; bottomMargin: 30 }
                radius: 14; color: shade; border { width: 1; color: Qt.rgba(1, 1, 1, 0.14) }
            }
            Text {
                anchors { top: swatch.bottom; topMargin: 6; horizontalCenter: swatch.horizontalCenter }
                text: shade; color: "#c8c8ce"; font { pixelSize: 13; family: "monospace" }
            }
        }
    }
}
