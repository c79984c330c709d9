/* Drags over drop areas, and the data that they bring. */
#include "CarryQtPrivate.h"
#include <QImage>
#include <QTemporaryDir>
#include <QUrl>
#include <algorithm>
#include <cstring>

/* What mimeData() loads into memory of one format; larger ones are left out. */
static const size_t largest = 64 << 20;
static const QString uriList = QStringLiteral("text/uri-list");

CarryDrop::CarryDrop() : d(new CarryDropSession) {}
CarryDrop::~CarryDrop() = default;

/* ------------------------------------------------------------------------------------------------------- Types --- */

int CarryDrop::count() const { return d->session ? std::max(0, carry_drop_session_item_count(d->session)) : 0; }

QStringList CarryDrop::formats(int item) const {
  QStringList formats;
  const int count = d->session ? carry_drop_session_type_count(d->session, item) : 0;
  for (int i = 0; i < count; i++) formats.append(QString::fromUtf8(carry_drop_session_type(d->session, item, i)));
  return formats;
}

QStringList CarryDrop::formats() const {
  QStringList formats;
  for (int i = 0; i < count(); i++) formats += this->formats(i);
  formats.removeDuplicates();
  return formats;
}

bool CarryDrop::hasFormat(const QString &format) const {
  return d->session && carry_drop_session_conforms(d->session, format.toUtf8()) == 1;
}

QString CarryDrop::name(int item) const {
  return d->session ? QString::fromUtf8(carry_drop_session_name(d->session, item)) : QString();
}

bool CarryDrop::allowsMove() const { return d->session && carry_drop_session_allows_move(d->session) == 1; }

QObject *CarryDrop::source() const {
  carry_drag_session *drag = d->session ? carry_drop_session_local_drag_session(d->session) : nullptr;
  return drag ? carryDragOrigin(drag) : nullptr;
}

void CarryDrop::setDropAction(Qt::DropAction action) {
  if (action == Qt::MoveAction && allowsMove()) d->operation = CARRY_OPERATION_MOVE;
  else d->operation = action == Qt::IgnoreAction ? CARRY_OPERATION_CANCEL : CARRY_OPERATION_COPY;
}

void CarryDrop::forbid(const QString &reason) {
  d->operation = CARRY_OPERATION_FORBIDDEN;
  if (d->session) carry_drop_session_propose_reason(d->session, reason.toUtf8());
}

/* ------------------------------------------------------------------------------------------------------- Loads --- */

std::shared_ptr<CarryItemData> CarryDropSession::local(int item) const {
  auto *data = static_cast<CarryItemData *>(carry_drop_session_item_local_data(session, item));
  return data ? data->shared_from_this() : nullptr;
}

std::function<void()> CarryDropSession::arrival(int item) const {
  const bool isMove = carry_drop_session_operation(session) == CARRY_OPERATION_MOVE;
  const auto data = reportsMoves && isMove ? local(item) : nullptr;
  return [data] {
    if (data) data->wasMoved();
  };
}

/* The address of a file is a text too, but not what is meant by it if there is another. */
const char *CarryDropSession::textType(int item) const {
  const char *address = nullptr;
  for (int i = 0; i < carry_drop_session_type_count(session, item); i++) {
    const char *type = carry_drop_session_type(session, item, i);
    if (!strncmp(type, "text/plain", strlen("text/plain"))) return type;
    if (uriList == QLatin1String(type)) address = type;
  }
  const char *best = carry_drop_session_best_type(session, item, "text/plain");
  return best ? best : address;
}

namespace {

/* A running load. Nobody waits for it any more when the drop area is gone. */
template <typename Value> struct Load {
  QPointer<QObject> area;
  std::function<void(const Value &value, const QString &error)> done;
  std::function<void()> arrived;

  void end(int32_t status, const Value &value, const char *message) {
    const std::unique_ptr<Load> self(this);
    const QString error = message ? QString::fromUtf8(message) : QStringLiteral("the load has failed");
    if (area) done(value, status == CARRY_OK ? QString() : error);
    if (status == CARRY_OK) arrived();
  }
};

using BytesLoad = Load<QByteArray>;
using FileLoad = Load<QString>;

void loaded(void *load, int32_t status, const void *bytes, size_t size, const char *message) {
  static_cast<BytesLoad *>(load)->end(status, QByteArray(static_cast<const char *>(bytes), qsizetype(size)), message);
}

void saved(void *load, int32_t status, const carry_file *file, const char *message) {
  static_cast<FileLoad *>(load)->end(status, file ? QString::fromUtf8(file->path) : QString(), message);
}

/* What has arrived of an item. Pictures are decoded on demand. */
class LoadedData : public QMimeData {
public:
  QStringList formats() const override {
    QStringList formats = QMimeData::formats();
    if (!pictureFormat().isEmpty()) formats.append(imageFormat);
    return formats;
  }

  void add(const QString &format, const QByteArray &bytes) {
    if (!hasFormat(format)) setData(format, bytes);
  }

protected:
  QVariant retrieveData(const QString &format, QMetaType type) const override {
    if (format == imageFormat && !pictureFormat().isEmpty()) return QImage::fromData(data(pictureFormat()));
    return QMimeData::retrieveData(format, type);
  }

private:
  QString pictureFormat() const {
    const QStringList formats = QMimeData::formats();
    for (const QString &format : formats)
      if (format.startsWith(QLatin1String("image/"))) return format;
    return QString();
  }

  const QString imageFormat = QStringLiteral("application/x-qt-image");
};

/* Several loads that are delivered together. */
struct Gathering {
  QPointer<QObject> area;
  std::vector<std::unique_ptr<LoadedData>> items;
  std::function<void(const QList<QMimeData *> &items)> done;

  /* The last load has ended. */
  ~Gathering() {
    QList<QMimeData *> list;
    for (const auto &item : items) list.append(item.get());
    if (area) done(list);
  }
};

} // namespace

/* Qt's formats have no parameters: its texts are UTF-8. */
static QString qtFormat(const QString &type) { return type.section(QLatin1Char(';'), 0, 0); }

void CarryDrop::load(int item, const QString &format,
                     std::function<void(const QByteArray &bytes, const QString &error)> done) {
  d->load(item, format, 0, std::move(done));
}

void CarryDropSession::load(int item, const QString &format, size_t limit,
                            std::function<void(const QByteArray &bytes, const QString &error)> done) {
  if (!isPerforming) return done({}, QStringLiteral("data can be requested within dropped only"));
  auto *load = new BytesLoad{area, std::move(done), arrival(item)};
  if (!carry_drop_session_load(session, item, format.toUtf8(), limit, loaded, load))
    load->end(CARRY_ERROR_STATE, {}, carry_last_error());
}

void CarryDrop::save(int item, const QString &folder,
                     std::function<void(const QString &path, const QString &error)> done) {
  if (!d->isPerforming) return done({}, QStringLiteral("data can be requested within dropped only"));
  auto *load = new FileLoad{d->area, std::move(done), d->arrival(item)};
  const char *type = carry_drop_session_type(d->session, item, 0);
  if (!carry_drop_session_save(d->session, item, type, folder.toUtf8(), nullptr, 0, saved, load))
    load->end(CARRY_ERROR_STATE, {}, carry_last_error());
}

void CarryDrop::text(std::function<void(const QString &text, const QString &error)> done) {
  struct Texts {
    std::function<void(const QString &text, const QString &error)> done;
    QPointer<QObject> area;
    QStringList lines;
    QString error;
    ~Texts() {
      if (area) done(lines.join(QLatin1Char('\n')), error);
    }
  };
  auto texts = std::make_shared<Texts>();
  texts->done = std::move(done);
  texts->area = d->area;
  for (int i = 0; d->isPerforming && i < count(); i++) {
    const char *type = d->textType(i);
    if (!type) continue;
    const qsizetype line = texts->lines.size();
    texts->lines.append(QString());
    load(i, QString::fromUtf8(type), [texts, line](const QByteArray &bytes, const QString &error) {
      texts->lines[line] = QString::fromUtf8(bytes);
      if (!error.isEmpty()) texts->error = error;
    });
  }
}

void CarryDrop::mimeData(std::function<void(const QList<QMimeData *> &items)> done) {
  auto all = std::make_shared<Gathering>();
  all->area = d->area;
  all->done = std::move(done);
  for (int i = 0; d->isPerforming && i < count(); i++) {
    all->items.push_back(std::make_unique<LoadedData>());
    LoadedData *data = all->items.back().get();
    const QStringList types = formats(i);
    for (const QString &type : types) {
      const QString format = qtFormat(type);
      uint64_t size = 0;
      if (type == QLatin1String("inode/directory") || (format != type && types.contains(format))) continue;
      if (carry_drop_session_byte_count(d->session, i, type.toUtf8(), &size) == 1 && size > largest) continue;
      d->load(i, type, largest, [all, data, format](const QByteArray &bytes, const QString &error) {
        if (error.isEmpty()) data->add(format, bytes);
      });
    }
    if (name(i).isEmpty() || types.contains(uriList)) continue;
    static const QTemporaryDir folder;
    save(i, folder.path(), [all, data](const QString &path, const QString &error) {
      if (error.isEmpty()) data->setUrls({QUrl::fromLocalFile(path)});
    });
  }
}

std::unique_ptr<QMimeData> CarryDropSession::promised() const {
  auto data = std::make_unique<LoadedData>();
  const QStringList types = drop->formats();
  for (const QString &type : types) data->add(qtFormat(type), QByteArray());
  return data;
}
