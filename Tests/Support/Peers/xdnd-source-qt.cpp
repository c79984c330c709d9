// An ordinary Qt 6 program from which things are dragged with the mouse: as xdnd-source-gtk.c.
#include <QApplication>
#include <QDrag>
#include <QEventLoop>
#include <QMimeData>
#include <QMouseEvent>
#include <QTimer>
#include <QUrl>
#include <QWidget>
#include <QWindow>
#include <cstdio>

static void say(const char *text) {
  printf("%s\n", text);
  fflush(stdout);
}

struct Place : QWidget {
  QString kind;
  QStringList things;
  QPoint pressed;

  Place(int x, int y) : QWidget(nullptr, Qt::FramelessWindowHint) { setGeometry(x, y, 300, 300); }

  void mousePressEvent(QMouseEvent *event) override { pressed = event->position().toPoint(); }

  void mouseMoveEvent(QMouseEvent *event) override {
    if (!(event->buttons() & Qt::LeftButton)) return;
    if ((event->position().toPoint() - pressed).manhattanLength() < QApplication::startDragDistance()) return;
    auto *data = new QMimeData;
    if (kind == "text") {
      data->setText(things[0]);
    } else if (kind == "data") {
      data->setData("application/x-carry-test", QByteArray(things[0].toInt(), 'a'));
    } else {
      QList<QUrl> urls;
      for (const QString &path : things) urls << QUrl::fromLocalFile(path);
      data->setUrls(urls);
    }
    auto *drag = new QDrag(this);
    drag->setMimeData(data);
    connect(drag, &QDrag::actionChanged, [](Qt::DropAction action) {
      if (action == Qt::CopyAction) say("accepted");
    });
    say(drag->exec(Qt::CopyAction) == Qt::CopyAction ? "dropped" : "failed");
  }
};

int main(int count, char **arguments) {
  QApplication app(count, arguments);
  if (count < 5) return 2;
  Place place(atoi(arguments[1]), atoi(arguments[2]));
  place.kind = arguments[3];
  for (int i = 4; i < count; i++) place.things << QString::fromLocal8Bit(arguments[i]);
  place.show();
  QTimer::singleShot(0, [&] {
    while (!place.windowHandle()->isExposed()) QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    say("ready");
  });
  return app.exec();
}
