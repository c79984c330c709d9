// An ordinary Qt 6 program with a plugin of Carry's: its left window lifts a text, its right one is Qt's own text field.
// With "copy" it copies a text by Carry, and pastes it by Qt.
#include <QApplication>
#include <QClipboard>
#include <QDropEvent>
#include <QElapsedTimer>
#include <QSocketNotifier>
#include <QTextEdit>
#include <QTimer>
#include <carry.h>
#include <cstdio>

static void say(const char *what, qint64 milliseconds, const QString &text) {
  printf("%s %s %s\n", what, milliseconds < 5000 ? "soon" : "late", qPrintable(text.trimmed()));
  fflush(stdout);
}

static carry_item *words() {
  carry_item *item = carry_item_create();
  carry_item_add_text(item, "own words");
  return item;
}

struct Edit : QTextEdit {
  Edit() : QTextEdit(nullptr) { setWindowFlag(Qt::FramelessWindowHint), setGeometry(850, 250, 300, 300); }
  void dropEvent(QDropEvent *event) override {
    QElapsedTimer time;
    time.start();
    QTextEdit::dropEvent(event);
    say("dropped", time.elapsed(), toPlainText());
  }
};

static void lift(void *, carry_drag_session *session, double, double) {
  carry_item *item = words();
  carry_drag_session_add_item(session, item);
  carry_item_destroy(item);
}

int main(int count, char **arguments) {
  QApplication app(count, arguments);
  carry_client *client = carry_client_create_awaiting("own", nullptr);
  if (!client) return 3;
  QSocketNotifier notifier(carry_client_fd(client), QSocketNotifier::Read);
  QObject::connect(&notifier, &QSocketNotifier::activated, [&] { carry_client_dispatch(client); });
  if (count > 1) {
    carry_item *item = words();
    int32_t status = carry_client_copy(client, &item, 1);
    carry_item_destroy(item);
    if (status != CARRY_OK) return printf("%s\n", carry_last_error()), 1;
    QTimer::singleShot(0, [&] {
      QElapsedTimer time;
      time.start();
      say("pasted", time.elapsed(), QGuiApplication::clipboard()->text());
      carry_client_destroy(client);
      app.quit();
    });
    return app.exec();
  }
  QWidget source(nullptr, Qt::FramelessWindowHint);
  source.setGeometry(50, 250, 300, 300);
  source.show();
  Edit edit;
  edit.show();
  QApplication::sync();
  carry_region *region = carry_region_create(client, uint32_t(source.winId()), 0, 0, 300, 300);
  carry_drag_callbacks drag = CARRY_DRAG_CALLBACKS_INIT;
  drag.items_for_beginning = lift;
  carry_region_set_drag(region, &drag);
  carry_client_flush(client);
  return app.exec();
}
