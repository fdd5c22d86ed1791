package io.sluice.workers.core;

import io.sluice.units.Resources;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The tables of a fleet, and what the step under way has changed so far. */
final class WorkerTables {
    private final Map<String, Worker> workers = new TreeMap<>();
    private final Map<String, Instance> instances = new TreeMap<>();
    private final Map<String, Instance> replaced = new TreeMap<>();
    private final Map<String, TreeMap<String, Instance>> placed = new HashMap<>();
    private final Map<String, TreeMap<String, Instance>> gangs = new TreeMap<>();
    private final TreeSet<Waiting> pending = new TreeSet<>();
    private final Map<Resources, Integer> capacities = new HashMap<>();
    private final Map<String, TreeMap<Long, Order>> orders = new TreeMap<>();
    private final Map<String, Row> rows = new LinkedHashMap<>();
    private final List<FleetAction> actions = new ArrayList<>();

    /** The names that end with a star: only a ban is kept under such a name. */
    private final Set<String> bannedPatterns = new TreeSet<>();

    private long lastVersion;
    private Optional<List<String>> names = Optional.empty();

    /** An instance that waits to be placed; those that wait longest come first. */
    private record Waiting(Instant since, String id) implements Comparable<Waiting> {
        Waiting(Instance instance) {
            this(instance.status().since(), instance.id());
        }

        @Override
        public int compareTo(Waiting other) {
            int byTime = since.compareTo(other.since);
            return byTime != 0 ? byTime : id.compareTo(other.id);
        }
    }

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

    /** Whether a ban covers this name: its own, or that of a pattern. */
    boolean banned(String id) {
        boolean own = worker(id)
                .filter(worker -> worker.state() == WorkerState.BANNED)
                .isPresent();
        return own || bannedPatterns.stream().anyMatch(pattern -> covers(pattern, id));
    }

    /** Whether a name begins like a pattern, which ends with a star. */
    static boolean covers(String pattern, String name) {
        return name.startsWith(pattern.substring(0, pattern.length() - 1));
    }

    int workerCount() {
        return workers.size();
    }

    /** The ids of all workers, in an order that stays while none comes or goes. */
    List<String> workerNames() {
        if (names.isEmpty()) {
            names = Optional.of(List.copyOf(workers.keySet()));
        }
        return names.get();
    }

    /** What workers have, each amount once. */
    Set<Resources> capacities() {
        return capacities.keySet();
    }

    Optional<Instance> instance(String id) {
        return Optional.ofNullable(instances.get(id));
    }

    Collection<Instance> instances() {
        return List.copyOf(instances.values());
    }

    int instanceCount() {
        return instances.size();
    }

    /** Those that wait to be placed, from the one that waits longest; not to be changed meanwhile. */
    Stream<Instance> pending() {
        return pending.stream().map(waiting -> instances.get(waiting.id()));
    }

    /** The names of all gangs. */
    List<String> gangs() {
        return List.copyOf(gangs.keySet());
    }

    /** The instances of a gang. */
    List<Instance> gang(String name) {
        var members = gangs.get(name);
        return members == null ? List.of() : List.copyOf(members.values());
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
        take(instances, old.id());
        put(replaced, old);
        row(new Row.OfReplaced(old));
        keep(successor);
    }

    /** Takes what an earlier process wrote: of two with one id, the earlier placement is to be replaced. */
    void restore(Instance instance) {
        var other = instances.get(instance.id());
        if (other == null) {
            put(instances, instance);
        } else if (other.numbers().placement() < instance.numbers().placement()) {
            take(instances, other.id());
            put(replaced, other);
            put(instances, instance);
        } else {
            put(replaced, instance);
        }
    }

    /** All instances that hold room there, those included that are to be replaced. */
    List<Instance> instancesOn(String worker) {
        var there = placed.get(worker);
        return there == null ? List.of() : List.copyOf(there.values());
    }

    /** Keeps the worker as it is now, durably. */
    void keep(Worker worker) {
        remember(worker);
        row(new Row.OfWorker(worker));
    }

    /** Keeps the worker for this process alone. */
    void remember(Worker worker) {
        var before = workers.put(worker.id(), worker);
        if (before == null) {
            names = Optional.empty();
            if (worker.id().endsWith("*")) {
                bannedPatterns.add(worker.id());
            }
        } else if (before.hello() == worker.hello()) {
            return;
        } else {
            count(before, -1);
        }
        count(worker, 1);
    }

    private void count(Worker worker, int change) {
        var capacity = worker.hello().capacity();
        if (capacities.merge(capacity, change, Integer::sum) == 0) {
            capacities.remove(capacity);
        }
    }

    void forget(Worker worker) {
        if (workers.remove(worker.id()) != null) {
            count(worker, -1);
        }
        names = Optional.empty();
        bannedPatterns.remove(worker.id());
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
        put(isReplaced(instance) ? replaced : instances, instance);
    }

    private void put(Map<String, Instance> table, Instance instance) {
        take(table, instance.id());
        table.put(instance.id(), instance);
        var gang = instance.spec().gang();
        if (!gang.isNone() && table == instances) {
            gangs.computeIfAbsent(gang.name(), name -> new TreeMap<>()).put(instance.id(), instance);
        }
        if (instance.state() == InstanceState.PENDING && table == instances) {
            pending.add(new Waiting(instance));
        } else if (instance.state().holdsRoom()) {
            placed.computeIfAbsent(instance.worker(), worker -> new TreeMap<>()).put(placement(instance), instance);
        }
    }

    private void take(Map<String, Instance> table, String id) {
        var before = table.remove(id);
        if (before != null) {
            pending.remove(new Waiting(before));
            gangs.computeIfPresent(before.spec().gang().name(), (name, members) -> {
                members.remove(id, before);
                return members.isEmpty() ? null : members;
            });
            placed.computeIfPresent(before.worker(), (worker, there) -> {
                there.remove(placement(before));
                return there.isEmpty() ? null : there;
            });
        }
    }

    /** Of two instances with one id, one replaces the other. */
    private static String placement(Instance instance) {
        return instance.id() + "/" + instance.numbers().placement();
    }

    void forget(Instance instance) {
        boolean old = isReplaced(instance);
        take(old ? replaced : instances, instance.id());
        row((old ? new Row.OfReplaced(instance) : new Row.OfInstance(instance)).removal());
    }

    /** The successor is given up: the one that was to be replaced is the instance of its id again. */
    void revert(Instance old) {
        take(replaced, old.id());
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
        var open = orders.get(worker);
        return open == null ? List.of() : List.copyOf(open.values());
    }

    /** Ends an order; returns it if it was open. */
    Optional<Order> done(String worker, long seq) {
        var open = orders.get(worker);
        var found = Optional.ofNullable(open).map(all -> all.remove(seq));
        if (open != null && open.isEmpty()) {
            orders.remove(worker);
        }
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
