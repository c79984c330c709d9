// An ordinary Qt 6 program that takes drops: as xdnd-gtk.c.
#include <QApplication>
#include <QDropEvent>
#include <QMimeData>
#include <QTimer>
#include <QUrl>
#include <QWidget>
#include <QWindow>
#include <cstdio>

static QString wanted;

static void say(const QString &type, const QByteArray &bytes) {
  int text = 0;
  while (text < 200 && text < bytes.size() && bytes[text] >= ' ' && bytes[text] <= '~') text++;
  printf("got %s %lld %.*s\n", qPrintable(type), (long long)bytes.size(), text, bytes.constData());
  fflush(stdout);
}

struct Place : QWidget {
  Place(int x, int y) : QWidget(nullptr, Qt::FramelessWindowHint) {
    setAcceptDrops(true);
    setGeometry(x, y, 300, 300);
  }

  void dragEnterEvent(QDragEnterEvent *event) override {
    printf("over\n");
    fflush(stdout);
    if (wanted.isEmpty() || event->mimeData()->hasFormat(wanted)) event->acceptProposedAction();
  }

  void dragLeaveEvent(QDragLeaveEvent *) override {
    printf("left\n");
    fflush(stdout);
  }

  void dropEvent(QDropEvent *event) override {
    const QMimeData *data = event->mimeData();
    if (!wanted.isEmpty()) {
      say(wanted, data->data(wanted));
    } else if (data->hasUrls()) {
      for (const QUrl &url : data->urls()) say("file", url.toLocalFile().toUtf8());
    } else {
      say("text", data->text().toUtf8());
    }
    event->acceptProposedAction();
  }
};

int main(int count, char **arguments) {
  QApplication app(count, arguments);
  if (count < 3) return 2;
  if (count > 3) wanted = arguments[3];
  Place place(atoi(arguments[1]), atoi(arguments[2]));
  place.show();
  QTimer::singleShot(0, [&] {
    // The window is mapped once the X server has answered.
    while (!place.windowHandle()->isExposed()) QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    printf("ready\n");
    fflush(stdout);
  });
  return app.exec();
}
