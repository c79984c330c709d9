/* Drop areas. */
#include "CarryQtPrivate.h"
#include <QWidget>
#include <algorithm>

/* ------------------------------------------------------------------------------------------------------- Drags --- */

CarryDrop *CarryDropSession::of(CarryPlace &from, carry_drop_session *session) {
  auto *drop = static_cast<CarryDrop *>(carry_drop_session_local_data(session));
  if (drop) return drop;
  drop = new CarryDrop;
  drop->d->drop = drop;
  drop->d->session = session;
  drop->d->from = from.shared_from_this();
  from.drops.append(drop);
  QObject::connect(&drop->d->timer, &QTimer::timeout, drop, [drop] { drop->d->scroll(); });
  carry_drop_session_set_local_data(session, drop);
  return drop;
}

void CarryDropSession::end(CarryDrop *drop) {
  CarryDropSession &self = *drop->d;
  self.leave();
  carry_drop_session_set_local_data(self.session, nullptr);
  self.session = nullptr;
  self.from->drops.removeOne(drop);
  self.from = nullptr;
  /* A handler may be using it. */
  drop->deleteLater();
}

void CarryDropSession::leave() {
  timer.stop();
  const auto left = std::exchange(place, nullptr);
  if (left && left->target) left->target->exited(drop);
}

/* Scrolls what lies around the drop area while the drag rests at its edge. */
void CarryDropSession::scrollAt(QPointF point) {
  speed = place && place->target && place->target->edgeScrolls() ? place->edgeSpeed(point) : QPointF();
  if (speed.isNull()) return timer.stop();
  if (timer.isActive()) return;
  clock.start();
  timer.start(16);
}

void CarryDropSession::scroll() {
  const double seconds = std::min(0.05, double(clock.restart()) / 1000);
  if (place && place->window()) place->scroll(speed * 700 * seconds);
  /* What has scrolled may have destroyed the drop area. */
  if (from && from->region) carry_region_ask_again(from->region);
  if (CarryConnection *connection = CarryConnection::get()) connection->later(nullptr);
}

static std::shared_ptr<CarryPlace> route(void *data, CarryDrop *drop, QPointF &point) {
  double x = 0, y = 0;
  carry_drop_session_location(CarryDropSession::of(drop).session, nullptr, &x, &y);
  point = QPointF(x, y);
  return static_cast<CarryPlace *>(data)->route(CarryPlace::Drop, point,
                                                [drop](CarryPlace &place) { return place.target->accepts(drop); });
}

static int32_t didUpdate(void *data, carry_drop_session *session) {
  CarryDrop *drop = CarryDropSession::of(*static_cast<CarryPlace *>(data), session);
  CarryDropSession &self = CarryDropSession::of(drop);
  QPointF point;
  const auto place = route(data, drop, point);
  const bool isNew = place != self.place;
  if (isNew) self.leave();
  /* The handler may have destroyed the next one, or the drop with it. */
  if (!self.session || (place && !place->target)) return CARRY_OPERATION_CANCEL;
  self.place = place;
  self.operation = place ? CARRY_OPERATION_COPY : CARRY_OPERATION_CANCEL;
  if (place && isNew) place->target->entered(drop, point);
  else if (place) place->target->moved(drop, point);
  self.scrollAt(point);
  return self.operation;
}

static void didExit(void *data, carry_drop_session *session) {
  CarryDropSession::of(CarryDropSession::of(*static_cast<CarryPlace *>(data), session)).leave();
}

static void performDrop(void *data, carry_drop_session *session) {
  CarryDrop *drop = CarryDropSession::of(*static_cast<CarryPlace *>(data), session);
  CarryDropSession &self = CarryDropSession::of(drop);
  QPointF point;
  const auto place = route(data, drop, point);
  self.timer.stop();
  if (!place) return;
  self.area = place->target->object();
  self.isPerforming = true;
  place->target->dropped(drop, point);
  self.isPerforming = false;
}

static void didEnd(void *, carry_drop_session *session, int32_t) {
  auto *drop = static_cast<CarryDrop *>(carry_drop_session_local_data(session));
  if (drop) CarryDropSession::end(drop);
}

void CarryPlace::attachTarget() {
  carry_drop_callbacks callbacks = CARRY_DROP_CALLBACKS_INIT;
  callbacks.user_data = this;
  callbacks.did_update = didUpdate;
  callbacks.did_exit = didExit;
  callbacks.perform_drop = performDrop;
  callbacks.did_end = didEnd;
  carry_region_set_drop(region, &callbacks);
  carry_region_set_simultaneous(region, 1);
}

/* ------------------------------------------------------------------------------------------------------- Areas --- */

struct CarryDropArea::Private : CarryTargetRole {
  Private(CarryDropArea *q, QWidget *widget) : q(q), place(carryPlaceOf(widget)) {}

  QObject *object() override { return q; }
  bool accepts(CarryDrop *drop) override {
    if (q->acceptsDrop) return q->acceptsDrop(drop);
    return q->accepts.isEmpty() || std::any_of(q->accepts.cbegin(), q->accepts.cend(),
                                               [drop](const QString &type) { return drop->hasFormat(type); });
  }
  bool edgeScrolls() override { return q->edgeScroll; }
  void entered(CarryDrop *drop, QPointF point) override { Q_EMIT q->entered(drop, point); }
  void moved(CarryDrop *drop, QPointF point) override { Q_EMIT q->moved(drop, point); }
  void exited(CarryDrop *drop) override { Q_EMIT q->exited(drop); }
  void dropped(CarryDrop *drop, QPointF point) override { Q_EMIT q->dropped(drop, point); }

  CarryDropArea *q;
  std::shared_ptr<CarryPlace> place;
};

CarryDropArea::CarryDropArea(QWidget *widget) : QObject(widget), d(new Private(this, widget)) {
  d->place->setTarget(d.get());
}

CarryDropArea::~CarryDropArea() {
  if (d->place->target == d.get()) d->place->setTarget(nullptr);
}
