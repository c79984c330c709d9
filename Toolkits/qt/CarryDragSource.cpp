/* Drag sources, their items, and the drags out of them. */
#include "CarryQtPrivate.h"
#include <QBuffer>
#include <QCoreApplication>
#include <QFileInfo>
#include <QImage>
#include <QThreadPool>
#include <QUrl>
#include <QWidget>
#include <algorithm>
#include <set>

/* ------------------------------------------------------------------------------------------------------- Items --- */

CarryItemData::CarryItemData(QMimeData *data)
    /* The library may release it on any thread. */
    : mime(data, [](QMimeData *mime) { mime->deleteLater(); }) {}

void CarryItemData::wasMoved() {
  if (const auto call = std::exchange(moved, nullptr)) call();
}

static QMimeData *textData(const QString &text) {
  auto *data = new QMimeData;
  data->setText(text);
  return data;
}

CarryItem::CarryItem(const QString &text) : CarryItem(textData(text)) {}
CarryItem::CarryItem(QMimeData *data) : d(std::make_shared<CarryItemData>(data)) {}

CarryItem CarryItem::file(const QString &path) {
  auto *data = new QMimeData;
  data->setUrls({QUrl::fromLocalFile(path)});
  return CarryItem(data);
}

CarryItem &CarryItem::setName(const QString &name) {
  d->name = name;
  return *this;
}

CarryItem &CarryItem::setRect(const QRect &rect) {
  d->rect = rect;
  return *this;
}

CarryItem &CarryItem::onMoved(std::function<void()> moved) {
  d->moved = std::move(moved);
  return *this;
}

/* A format that is promised: its data is asked for when a target requests it. */
struct Promise {
  std::shared_ptr<QMimeData> mime;
  QString format;
};

static const QString imageFormat = QStringLiteral("application/x-qt-image");

/* A large picture takes half a second to encode. Its request is answered on the GUI thread all the same. */
static void answerPicture(const QImage &image, carry_request *request) {
  const QPointer<CarryConnection> connection = CarryConnection::get();
  QThreadPool::globalInstance()->start([=] {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    image.save(&buffer, "PNG");
    QMetaObject::invokeMethod(qApp, [=] {
      if (!connection) return;
      carry_request_answer_data(request, bytes.constData(), size_t(bytes.size()));
      connection->later(nullptr);
    });
  });
}

static void answer(void *data, carry_request *request, const char *) {
  const auto *promise = static_cast<Promise *>(data);
  if (promise->format == imageFormat)
    return answerPicture(qvariant_cast<QImage>(promise->mime->imageData()), request);
  const QByteArray bytes = promise->mime->data(promise->format);
  carry_request_answer_data(request, bytes.constData(), size_t(bytes.size()));
}

static void promise(carry_item *item, const std::shared_ptr<QMimeData> &mime, const QString &format,
                    const QByteArray &type) {
  auto *data = new Promise{mime, format};
  /* Formats that are no media types are the program's own. */
  if (carry_item_add_callback(item, type, answer, data, [](void *data) { delete static_cast<Promise *>(data); }) !=
      CARRY_OK)
    delete data;
}

static void promiseFormats(carry_item *item, const std::shared_ptr<QMimeData> &mime, bool isFile) {
  const QStringList formats = mime->formats();
  for (const QString &format : formats) {
    const bool isText = format == QLatin1String("text/plain");
    if (isFile && (isText || format == QLatin1String("text/uri-list"))) continue;
    if (isText) promise(item, mime, format, "text/plain;charset=utf-8");
    else if (format != imageFormat) promise(item, mime, format, format.toLatin1());
    else if (!formats.contains(QLatin1String("image/png"))) promise(item, mime, format, "image/png");
  }
}

static void promiseFile(carry_item *item, const QString &path) {
  const QByteArray name = path.toUtf8();
  const char *type = QFileInfo(path).isDir() ? "inode/directory" : nullptr;
  if (carry_item_add_original(item, type, name) != CARRY_OK) carry_item_add_file(item, type, name);
}

/* Makes what a QMimeData promises: several items for several files. */
static std::vector<carry_item *> makeItems(const CarryItemData &data) {
  const QList<QUrl> urls = data.mime->urls();
  const bool areFiles =
      !urls.isEmpty() && std::all_of(urls.begin(), urls.end(), [](const QUrl &url) { return url.isLocalFile(); });
  std::vector<carry_item *> items;
  for (qsizetype i = 0; i < (areFiles ? urls.size() : 1); i++) {
    carry_item *item = carry_item_create();
    if (!data.name.isEmpty()) carry_item_set_name(item, data.name.toUtf8());
    if (areFiles) promiseFile(item, urls[i].toLocalFile());
    if (!areFiles || urls.size() == 1) promiseFormats(item, data.mime, areFiles);
    items.push_back(item);
  }
  return items;
}

/* ------------------------------------------------------------------------------------------------------- Drags --- */

namespace {

/* A drag out of a place, the local data of its session until its last callback. */
struct Dragging {
  struct Part {
    std::shared_ptr<CarryItemData> item;
    std::shared_ptr<CarryPlace> place;
  };
  std::shared_ptr<CarryPlace> origin;
  std::vector<Part> parts; /* by the number of the session's items */

  static Dragging *of(carry_drag_session *session) {
    return static_cast<Dragging *>(carry_drag_session_local_data(session));
  }

  void add(carry_drag_session *session, const std::shared_ptr<CarryPlace> &place, QPointF point, bool isAdding) {
    const QList<CarryItem> items = place->source->items(point, isAdding);
    for (const CarryItem &item : items) {
      const auto data = CarryPlace::data(item);
      for (carry_item *made : makeItems(*data)) {
        carry_item_set_local_data(made, data.get());
        /* The handler may have destroyed the widget. */
        if (place->region && carry_drag_session_add_item_from(session, made, place->region) == CARRY_OK)
          parts.push_back({data, place});
        else qWarning("Carry: %s", carry_last_error());
        carry_item_destroy(made);
      }
    }
  }
};

} // namespace

QObject *carryDragOrigin(carry_drag_session *session) {
  const Dragging *drag = Dragging::of(session);
  return drag ? drag->origin->object() : nullptr;
}

static std::shared_ptr<CarryPlace> route(void *data, QPointF &point) {
  return static_cast<CarryPlace *>(data)->route(CarryPlace::Drag, point,
                                                [&point](CarryPlace &place) { return place.source->mayLift(point); });
}

static int32_t mayBegin(void *data, double x, double y) {
  QPointF point(x, y);
  return route(data, point) != nullptr;
}

static void itemsForBeginning(void *data, carry_drag_session *session, double x, double y) {
  QPointF point(x, y);
  const auto place = route(data, point);
  if (!place) return;
  auto *drag = new Dragging{place, {}};
  carry_drag_session_set_local_data(session, drag);
  drag->add(session, place, point, false);
  if (!drag->parts.empty()) return;
  carry_drag_session_set_local_data(session, nullptr);
  delete drag;
}

static void itemsForAdding(void *data, carry_drag_session *session, double x, double y) {
  QPointF point(x, y);
  Dragging *drag = Dragging::of(session);
  const auto place = drag ? route(data, point) : nullptr;
  if (place) drag->add(session, place, point, true);
}

/* An item with a part of its own rises from there. */
static int32_t previewForLifting(void *, carry_drag_session *session, int32_t item, carry_preview **preview) {
  const Dragging *drag = Dragging::of(session);
  if (!drag || item < 0 || size_t(item) >= drag->parts.size()) return CARRY_PREVIEW_USUAL;
  const auto &part = drag->parts[size_t(item)];
  if (part.item->rect.isEmpty() || !part.place->region || !part.place->window()) return CARRY_PREVIEW_USUAL;
  const QRect pixels = part.place->pixels(part.item->rect);
  if (pixels.isEmpty()) return CARRY_PREVIEW_NONE;
  *preview = carry_preview_create_region(part.place->region, pixels.x(), pixels.y(), std::min(pixels.width(), 2048),
                                         std::min(pixels.height(), 2048));
  return *preview ? CARRY_PREVIEW_OWN : CARRY_PREVIEW_USUAL;
}

/* The last callback of a drag. */
static void finish(carry_drag_session *session) {
  delete Dragging::of(session);
  carry_drag_session_set_local_data(session, nullptr);
}

static void willBegin(void *, carry_drag_session *session) {
  const Dragging *drag = Dragging::of(session);
  if (drag && drag->origin->source) drag->origin->source->started();
}

static void tellFinished(carry_drag_session *session, Qt::DropAction action) {
  const Dragging *drag = Dragging::of(session);
  if (drag && drag->origin->source) drag->origin->source->finished(action);
}

static void liftEnded(void *, carry_drag_session *session, int32_t completed) {
  if (completed || !Dragging::of(session)) return;
  tellFinished(session, Qt::IgnoreAction);
  finish(session);
}

static void didEnd(void *, carry_drag_session *session, int32_t operation) {
  const bool isMove = operation == CARRY_OPERATION_MOVE, isDrop = isMove || operation == CARRY_OPERATION_COPY;
  tellFinished(session, isMove ? Qt::MoveAction : isDrop ? Qt::CopyAction : Qt::IgnoreAction);
  if (!isDrop) finish(session);
}

static void didTransfer(void *, carry_drag_session *session) {
  const Dragging *drag = Dragging::of(session);
  if (!drag) return;
  /* Several files of one item have moved only together. */
  std::set<std::shared_ptr<CarryItemData>> kept;
  for (size_t i = 0; i < drag->parts.size(); i++)
    if (carry_drag_session_item_moved(session, int32_t(i)) != 1) kept.insert(drag->parts[i].item);
  for (const auto &part : drag->parts)
    if (!kept.count(part.item)) part.item->wasMoved();
  if (drag->origin->source) drag->origin->source->transferred();
  finish(session);
}

static int32_t allowsMove(void *, carry_drag_session *session) {
  const Dragging *drag = Dragging::of(session);
  return !drag || !drag->origin->source || drag->origin->source->allowsMove(false);
}

static int32_t allowsMoveToOthers(void *, carry_drag_session *session) {
  const Dragging *drag = Dragging::of(session);
  return drag && drag->origin->source && drag->origin->source->allowsMove(true);
}

void CarryPlace::attachSource() {
  carry_drag_callbacks callbacks = CARRY_DRAG_CALLBACKS_INIT;
  callbacks.user_data = this;
  callbacks.may_begin = mayBegin;
  callbacks.items_for_beginning = itemsForBeginning;
  callbacks.items_for_adding = itemsForAdding;
  callbacks.preview_for_lifting = previewForLifting;
  callbacks.session_will_begin = willBegin;
  callbacks.lift_ended = liftEnded;
  callbacks.did_end = didEnd;
  callbacks.did_transfer = didTransfer;
  callbacks.allows_move = allowsMove;
  callbacks.allows_move_to_others = allowsMoveToOthers;
  carry_region_set_drag(region, &callbacks);
}

/* ----------------------------------------------------------------------------------------------------- Sources --- */

struct CarryDragSource::Private : CarrySourceRole {
  explicit Private(CarryDragSource *q, QWidget *widget) : q(q), place(carryPlaceOf(widget)) {}

  bool mayLift(QPointF point) override { return !q->mayLift || q->mayLift(point); }
  QList<CarryItem> items(QPointF point, bool isAdding) override {
    const auto &ask = isAdding ? q->itemsForAdding : q->items;
    return ask ? ask(point) : QList<CarryItem>();
  }
  bool allowsMove(bool toOthers) override { return toOthers ? q->allowsMoveToOthers : q->allowsMove; }
  void started() override { Q_EMIT q->dragStarted(); }
  void finished(Qt::DropAction action) override { Q_EMIT q->dragFinished(action); }
  void transferred() override { Q_EMIT q->transferred(); }

  CarryDragSource *q;
  std::shared_ptr<CarryPlace> place;
};

CarryDragSource::CarryDragSource(QWidget *widget) : QObject(widget), d(new Private(this, widget)) {
  d->place->setSource(d.get());
}

CarryDragSource::~CarryDragSource() {
  if (d->place->source == d.get()) d->place->setSource(nullptr);
}
