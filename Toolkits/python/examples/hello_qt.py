#!/usr/bin/env python3
"""Two labels: the text of one can be dragged onto the other. With PySide6 in place of PyQt6 it is the same."""
import sys

from PyQt6 import QtWidgets

import carry.qt

app = QtWidgets.QApplication(sys.argv)
window = QtWidgets.QWidget()
source, target = QtWidgets.QLabel("Drag me"), QtWidgets.QLabel("Drop here")
row = QtWidgets.QHBoxLayout(window)
row.addWidget(source, 1)
row.addWidget(target, 1)
window.resize(700, 400)
window.show()

carry.qt.widget(source, "Drag me").on_drag(lambda: [source.text()])


def arrived(text, error):
    target.setText(error or text)
    print("dropped:", target.text(), flush=True)


@carry.qt.widget(target, "Drop here").on_drop("text/plain")
def dropped(drop):
    for item in drop.items:
        item.text().then(arrived)


app.exec()
