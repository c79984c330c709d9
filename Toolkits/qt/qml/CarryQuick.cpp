/* The items of the QML module. */
#include "CarryQuick.h"
#include "CarryQtPrivate.h"
#include <QJSEngine>
#include <QtQml>
#include <algorithm>

/* ----------------------------------------------------------------------------------------------------- Sources --- */

CarryItem carryQuickItem(const QString &text, const QUrl &url, const QVariantMap &mimeData) {
  auto *data = new QMimeData;
  if (!text.isEmpty()) data->setText(text);
  if (!url.isEmpty()) data->setUrls({url});
  for (auto i = mimeData.cbegin(); i != mimeData.cend(); i++) data->setData(i.key(), i.value().toByteArray());
  return data;
}

struct CarryQuickSource::Private : CarrySourceRole {
  explicit Private(CarryQuickSource *q) : q(q), place(carryPlaceOf(q)) {}

  bool mayLift(QPointF) override { return !q->text.isEmpty() || !q->url.isEmpty() || !q->mimeData.isEmpty(); }

  QList<CarryItem> items(QPointF point, bool isAdding) override {
    if (!mayLift(point) || (isAdding && isActive)) return {};
    return {carryQuickItem(q->text, q->url, q->mimeData)};
  }

  void setActive(bool active) {
    if (std::exchange(isActive, active) != active) Q_EMIT q->activeChanged();
  }

  bool allowsMove(bool toOthers) override { return !toOthers; }
  void started() override {
    setActive(true);
    Q_EMIT q->dragStarted();
  }
  void finished(Qt::DropAction action) override {
    setActive(false);
    Q_EMIT q->dragFinished(int(action));
  }
  void transferred() override { Q_EMIT q->transferred(); }

  CarryQuickSource *q;
  std::shared_ptr<CarryPlace> place;
  bool isActive = false;
};

CarryQuickSource::CarryQuickSource(QQuickItem *parent) : QQuickItem(parent), d(new Private(this)) {
  d->place->setSource(d.get());
}

CarryQuickSource::~CarryQuickSource() { d->place->setSource(nullptr); }
bool CarryQuickSource::isActive() const { return d->isActive; }

/* -------------------------------------------------------------------------------------------------- Drop areas --- */

void CarryQuickDrop::text(const QJSValue &done) {
  drop->text([done](const QString &text, const QString &error) { done.call({text, error}); });
}

void CarryQuickDrop::load(int item, const QString &format, const QJSValue &done) {
  QJSEngine *engine = qjsEngine(this);
  drop->load(item, format, [done, engine](const QByteArray &bytes, const QString &error) {
    done.call({engine ? engine->toScriptValue(bytes) : QJSValue(), error});
  });
}

void CarryQuickDrop::save(int item, const QUrl &folder, const QJSValue &done) {
  drop->save(item, folder.toLocalFile(), [done](const QString &path, const QString &error) {
    done.call({path.isEmpty() ? QString() : QUrl::fromLocalFile(path).toString(), error});
  });
}

CarryQuickDrop *CarryQuickDrop::of(CarryDrop *drop) {
  auto *quick = drop->findChild<CarryQuickDrop *>(QString(), Qt::FindDirectChildrenOnly);
  return quick ? quick : new CarryQuickDrop(drop);
}

bool CarryQuickDrop::isOneOf(const QStringList &types) const {
  const auto has = [this](const QString &type) { return drop->hasFormat(type); };
  return types.isEmpty() || std::any_of(types.cbegin(), types.cend(), has);
}

struct CarryQuickArea::Private : CarryTargetRole {
  explicit Private(CarryQuickArea *q) : q(q), place(carryPlaceOf(q)) {}

  QObject *object() override { return q; }
  bool accepts(CarryDrop *drop) override { return CarryQuickDrop::of(drop)->isOneOf(q->accepts); }
  bool edgeScrolls() override { return true; }
  void entered(CarryDrop *drop, QPointF point) override {
    over++;
    Q_EMIT q->containsDragChanged();
    Q_EMIT q->entered(CarryQuickDrop::of(drop), point.x(), point.y());
  }
  void moved(CarryDrop *drop, QPointF point) override { Q_EMIT q->positionChanged(CarryQuickDrop::of(drop), point.x(), point.y()); }
  void exited(CarryDrop *) override {
    over--;
    Q_EMIT q->containsDragChanged();
    Q_EMIT q->exited();
  }
  void dropped(CarryDrop *drop, QPointF point) override { Q_EMIT q->dropped(CarryQuickDrop::of(drop), point.x(), point.y()); }

  CarryQuickArea *q;
  std::shared_ptr<CarryPlace> place;
  int over = 0;
};

CarryQuickArea::CarryQuickArea(QQuickItem *parent) : QQuickItem(parent), d(new Private(this)) {
  d->place->setTarget(d.get());
}

CarryQuickArea::~CarryQuickArea() { d->place->setTarget(nullptr); }
bool CarryQuickArea::containsDrag() const { return d->over > 0; }

/* ----------------------------------------------------------------------------------------------------- Springs --- */

struct CarryQuickSpring::Private : CarrySpringRole {
  explicit Private(CarryQuickSpring *q) : q(q), place(carryPlaceOf(q)) {}

  bool hasParts() override { return false; }
  bool maySpring(QPointF) override { return true; }
  void activating(bool now) override {
    if (std::exchange(isActivating, now) != now) Q_EMIT q->activatingChanged();
  }
  void activated(QPointF point) override { Q_EMIT q->activated(point.x(), point.y()); }

  CarryQuickSpring *q;
  std::shared_ptr<CarryPlace> place;
  bool isActivating = false;
};

CarryQuickSpring::CarryQuickSpring(QQuickItem *parent) : QQuickItem(parent), d(new Private(this)) {
  d->place->setSpring(d.get());
}

CarryQuickSpring::~CarryQuickSpring() { d->place->setSpring(nullptr); }
bool CarryQuickSpring::isActivating() const { return d->isActivating; }
