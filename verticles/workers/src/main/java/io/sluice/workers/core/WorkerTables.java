package io.sluice.workers.core;

import io.sluice.units.Resources;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The tables of a fleet, and what the step under way has changed so far. */
final class WorkerTables {
    private final Map<String, Worker> workers = new TreeMap<>();
    private final Map<String, Instance> instances = new TreeMap<>();
    private final Map<String, Instance> replaced = new TreeMap<>();
    private final Map<String, TreeMap<Long, Order>> orders = new TreeMap<>();
    private final Map<String, Row> rows = new LinkedHashMap<>();
    private final List<FleetAction> actions = new ArrayList<>();
    private long lastVersion;

    /** Ends the step. */
    FleetStep step() {
        var step = new FleetStep(List.copyOf(rows.values()), actions);
        rows.clear();
        actions.clear();
        return step;
    }

    void act(FleetAction action) {
        actions.add(action);
    }

    /** A number above all earlier ones, those before a restart too if the clock does not go back. */
    long version(Instant now) {
        lastVersion = Math.max(lastVersion + 1, now.toEpochMilli());
        return lastVersion;
    }

    Optional<Worker> worker(String id) {
        return Optional.ofNullable(workers.get(id));
    }

    Collection<Worker> workers() {
        return List.copyOf(workers.values());
    }

    Optional<Instance> instance(String id) {
        return Optional.ofNullable(instances.get(id));
    }

    Collection<Instance> instances() {
        return List.copyOf(instances.values());
    }

    /** All instances, those included that are to be replaced. */
    List<Instance> everyInstance() {
        return Stream.concat(instances.values().stream(), replaced.values().stream())
                .toList();
    }

    /** The one that runs until the instance of this id does. */
    Optional<Instance> replaced(String id) {
        return Optional.ofNullable(replaced.get(id));
    }

    boolean isReplaced(Instance instance) {
        return replaced(instance.id())
                .filter(old -> old.numbers().placement() == instance.numbers().placement())
                .isPresent();
    }

    /** The instance of that id on that worker, under that generation or one since its start. */
    Optional<Instance> instanceOn(String worker, String id, long generation) {
        return Stream.concat(instance(id).stream(), replaced(id).stream())
                .filter(known -> known.isOn(worker, generation))
                .findFirst();
    }

    /** From now on the successor is the instance of its id. */
    void replace(Instance old, Instance successor) {
        replaced.put(old.id(), old);
        row(new Row.OfReplaced(old));
        keep(successor);
    }

    /** Takes what an earlier process wrote: of two with one id, the earlier placement is to be replaced. */
    void restore(Instance instance) {
        var other = instances.get(instance.id());
        if (other == null) {
            instances.put(instance.id(), instance);
        } else if (other.numbers().placement() < instance.numbers().placement()) {
            replaced.put(other.id(), other);
            instances.put(instance.id(), instance);
        } else {
            replaced.put(instance.id(), instance);
        }
    }

    List<Instance> instancesOn(String worker) {
        return Stream.concat(instances.values().stream(), replaced.values().stream())
                .filter(instance ->
                        instance.worker().equals(worker) && instance.state().holdsRoom())
                .toList();
    }

    /** Keeps the worker as it is now, durably. */
    void keep(Worker worker) {
        remember(worker);
        row(new Row.OfWorker(worker));
    }

    /** Keeps the worker for this process alone. */
    void remember(Worker worker) {
        workers.put(worker.id(), worker);
    }

    void forget(Worker worker) {
        workers.remove(worker.id());
        orders.remove(worker.id());
        row(new Row.OfWorker(worker).removal());
    }

    void keep(JoinToken token) {
        row(new Row.OfToken(token));
    }

    void forget(JoinToken token) {
        row(new Row.OfToken(token).removal());
    }

    void keep(Instance instance) {
        boolean old = isReplaced(instance);
        remember(instance);
        row(old ? new Row.OfReplaced(instance) : new Row.OfInstance(instance));
    }

    void remember(Instance instance) {
        (isReplaced(instance) ? replaced : instances).put(instance.id(), instance);
    }

    void forget(Instance instance) {
        boolean old = isReplaced(instance);
        (old ? replaced : instances).remove(instance.id());
        row((old ? new Row.OfReplaced(instance) : new Row.OfInstance(instance)).removal());
    }

    /** The successor is given up: the one that was to be replaced is the instance of its id again. */
    void revert(Instance old) {
        replaced.remove(old.id());
        row(new Row.OfReplaced(old).removal());
        keep(old);
    }

    /** Writes an order down, and sends it if the worker is connected. */
    void order(String worker, Order.Kind kind, String instance, long generation, Resources amounts, String reason) {
        var known = workers.get(worker);
        if (known == null) {
            return;
        }
        var numbered = known.withSeq(known.lastSeq() + 1);
        keep(numbered);
        var order = new Order(worker, numbered.lastSeq(), kind, instance, generation, amounts, reason);
        remember(order);
        row(new Row.OfOrder(order));
        send(numbered, order);
    }

    void remember(Order order) {
        orders.computeIfAbsent(order.worker(), key -> new TreeMap<>()).put(order.seq(), order);
    }

    void send(Worker worker, Order order) {
        if (worker.connected()) {
            act(new FleetAction.Send(worker.session(), worker.epoch(), order));
        }
    }

    List<Order> orders(String worker) {
        return List.copyOf(orders.getOrDefault(worker, new TreeMap<>()).values());
    }

    /** Ends an order; returns it if it was open. */
    Optional<Order> done(String worker, long seq) {
        var found = Optional.ofNullable(orders.get(worker)).map(open -> open.remove(seq));
        found.ifPresent(order -> row(new Row.OfOrder(order).removal()));
        return found;
    }

    /** Ends all open orders to start or resize the instance there: another order replaces them. */
    void withdraw(String worker, String instance) {
        orders(worker).stream()
                .filter(order -> order.instance().equals(instance))
                .forEach(order -> done(worker, order.seq()));
    }

    private void row(Row row) {
        rows.remove(row.key());
        rows.put(row.key(), row);
    }
}
