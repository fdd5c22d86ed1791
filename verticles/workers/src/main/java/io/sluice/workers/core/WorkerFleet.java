package io.sluice.workers.core;

import io.sluice.units.Resources;
import io.sluice.units.WorkerNames;
import io.sluice.workers.core.FleetAction.Place;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * All workers and instances, and the rules by which they go on. Each event is followed by {@link #step()}, which has
 * what is to be written and then done.
 */
public final class WorkerFleet {
    private final WorkerTables state = new WorkerTables();
    private final FleetTiming timing;
    private final int instancesMax;
    private final InstanceRules rules;
    private final WorkerRules workers;
    private final JoinRules joins;
    private final GangRules gangs;
    private final Set<String> placing = new HashSet<>();
    private final CandidateRules candidates = new CandidateRules(state);
    private Instant placeFrom = Instant.EPOCH;

    public WorkerFleet(FleetTiming timing, int workersMax, int instancesMax) {
        this.timing = timing;
        this.instancesMax = instancesMax;
        rules = new InstanceRules(state, timing);
        workers = new WorkerRules(state, timing, rules, workersMax);
        joins = new JoinRules(state, workers, workersMax);
        gangs = new GangRules(state, rules);
    }

    /** Takes what a process before wrote. Nobody is connected, and every worker has time to come back. */
    public void restore(List<Worker> workers, List<Instance> instances, List<Order> orders, Instant now) {
        workers.forEach(worker -> state.remember(
                worker.state().holds() ? worker.in(WorkerState.SUSPECT, now.plus(timing.window())) : worker));
        instances.forEach(instance -> state.restore(rules.restored(instance, now)));
        orders.forEach(state::remember);
        boolean awaited = workers.stream().anyMatch(worker -> worker.state().holds());
        placeFrom = awaited ? now.plus(timing.window()) : now;
    }

    /** Takes the tokens that a process before wrote. */
    public void restoreTokens(Collection<JoinToken> tokens) {
        joins.restore(tokens);
    }

    /** A controller has issued a token. */
    public Outcome issue(JoinToken token) {
        return joins.issue(token);
    }

    /** Whether that token exists and may still be used. */
    public boolean hasToken(String token, String hash, Instant now) {
        return joins.has(token, hash, now);
    }

    /**
     * A machine presents a token, and wants to be this worker. The same request may be repeated.
     *
     * @param key the fingerprint of its key
     * @param until when its certificate is to end
     */
    public Outcome enroll(String token, String hash, String worker, String key, Instant until, Instant now) {
        return joins.enroll(token, hash, worker, key, until, now);
    }

    /** A worker has got another certificate of its key. */
    public void renewed(String worker, Instant until) {
        joins.renewed(worker, until);
    }

    /** Revokes a worker's name; its instances fail, exclusive ones once they have ended for sure. */
    public Worker ban(String worker, Instant now) {
        return workers.ban(worker, now);
    }

    /** Ends a ban; returns the worker if there is one. */
    public Optional<Worker> liftBan(String worker, Instant now) {
        return workers.liftBan(worker, now);
    }

    /** The rows and actions since the last step. */
    public FleetStep step() {
        return state.step();
    }

    public Optional<Worker> worker(String id) {
        return state.worker(id);
    }

    public Optional<Instance> instance(String id) {
        return state.instance(id);
    }

    public Collection<Worker> workers() {
        return state.workers();
    }

    public Collection<Instance> instances() {
        return state.instances();
    }

    public List<Instance> instancesOn(String worker) {
        return state.instancesOn(worker);
    }

    /** The instance of that id that holds room on that worker. */
    public Optional<Instance> instanceOn(String worker, String id) {
        return state.instanceOn(worker, id, Long.MAX_VALUE);
    }

    /** The room that it needs: more than it is granted until its worker has applied a decrease. */
    public Resources room(Instance instance) {
        return rules.room(instance);
    }

    /** The one that runs until this one does. */
    public Optional<Instance> replacedBy(Instance instance) {
        return state.replaced(instance.id()).filter(old -> !state.isReplaced(instance));
    }

    /** The orders that the worker has not acknowledged. */
    public List<Order> orders(String worker) {
        return state.orders(worker);
    }

    /** What the worker is to have, each as id, colon and generation; empty while an order is open. */
    public Optional<List<String>> settledOn(String worker) {
        var held = state.instancesOn(worker);
        boolean settled = state.orders(worker).isEmpty()
                && held.stream().noneMatch(instance -> switch (instance.state()) {
                    case CREATING, RUNNING, REPLACED -> false;
                    default -> true;
                });
        return settled
                ? Optional.of(held.stream()
                        .map(instance ->
                                instance.id() + ":" + instance.numbers().generation())
                        .toList())
                : Optional.empty();
    }

    /** A worker registers over a session. */
    public void opened(WorkerHello hello, long session, Instant now) {
        workers.opened(hello, session, now);
    }

    /** The worker has these instances and no others. */
    public void inventory(String worker, long session, List<InstanceReport> inventory, Instant now) {
        if (frame(worker, session, now)) {
            workers.compare(worker, inventory, Optional.empty(), now);
        }
    }

    /** A session has ended; what the worker has may still run. */
    public void closed(String worker, long session, Instant now) {
        workers.closed(worker, session, now);
    }

    /** The worker leaves; what it had has ended. */
    public void left(String worker, long session, Instant now) {
        workers.left(worker, session, now);
    }

    /** Any frame of the current session renews the lease; those of older sessions count for nothing. */
    public boolean frame(String worker, long session, Instant now) {
        return workers.frame(worker, session, now);
    }

    /**
     * A worker reports an instance.
     *
     * @return whether the instance is its own
     */
    public boolean reported(String worker, long session, InstanceReport report, Instant now) {
        if (!frame(worker, session, now)) {
            return true;
        }
        var own = state.instanceOn(worker, report.instance(), report.generation());
        if (own.isEmpty()) {
            workers.stranger(worker, report, now);
            // An earlier start of it may still be there.
            return state.instance(report.instance())
                    .filter(known -> report.generation() < known.numbers().generation())
                    .isPresent();
        }
        rules.reported(own.get(), report, now);
        return true;
    }

    /** A worker has taken or refused an order. */
    public void acknowledged(String worker, long session, long seq, boolean accepted, String reason, Instant now) {
        if (!frame(worker, session, now)) {
            return;
        }
        state.done(worker, seq).ifPresent(order -> {
            rules.acknowledged(order, accepted, reason, now);
            if (order.kind() == Order.Kind.ASSIGN && !accepted && !gangs.refused(order.instance(), now)) {
                candidates.exclude(order.instance(), worker, now);
            }
        });
    }

    /** A controller wants an instance. The same request may be repeated. */
    public Outcome submit(InstanceSpec spec, Instant now) {
        var known = state.instance(spec.id()).filter(instance -> !instance.removed());
        if (known.isPresent()) {
            return known.get().spec().equals(spec)
                    ? Outcome.accepted(known.get())
                    : Outcome.refused(
                            Outcome.Code.ALREADY_EXISTS, "instance " + spec.id() + " exists with another content");
        }
        if (state.instance(spec.id())
                .filter(ending -> !ending.state().isFinal())
                .isPresent()) {
            return Outcome.refused(Outcome.Code.ALREADY_EXISTS, "instance " + spec.id() + " still ends");
        }
        if (state.instanceCount() >= instancesMax) {
            return Outcome.refused(Outcome.Code.TOO_MANY, "there are " + instancesMax + " instances");
        }
        var never = neverFits(spec.requests());
        if (never.isPresent()) {
            return never.get();
        }
        // The reservation of an ended one of that id cannot be used again.
        long before =
                state.instance(spec.id()).map(old -> old.numbers().generation()).orElse(0L);
        var instance = Instance.created(spec, before + 1, state.version(now), now);
        state.keep(instance);
        state.act(new FleetAction.InstanceEvent(instance));
        return Outcome.accepted(instance);
    }

    /** Whether no worker is large enough, however empty. Without any worker, one may come. */
    private Optional<Outcome> neverFits(Resources requests) {
        var most = state.capacities();
        if (most.isEmpty() || most.stream().anyMatch(capacity -> !requests.exceeds(capacity))) {
            return Optional.empty();
        }
        var best = most.stream().reduce(Resources.NONE, Resources::max);
        return Optional.of(Outcome.refused(
                Outcome.Code.NEVER_FITS,
                "no worker is that large: the best has " + best.milliCpu() + "m and " + best.memoryBytes()
                        + " bytes, requested are " + requests.milliCpu() + "m and " + requests.memoryBytes()
                        + " bytes"));
    }

    /** A controller no longer wants an instance. */
    public Outcome remove(String id, Instant now) {
        return state.instance(id)
                .map(instance -> Outcome.accepted(rules.remove(instance, now)))
                .orElseGet(() -> Outcome.refused(Outcome.Code.NOT_FOUND, "there is no instance " + id));
    }

    /** Whether an instance may be requested to have this size; then the ledger is to decide on it. */
    public Outcome mayResize(String id, Resources amounts) {
        var found = state.instance(id).filter(instance -> !instance.removed());
        if (found.isEmpty()) {
            return Outcome.refused(Outcome.Code.NOT_FOUND, "there is no instance " + id);
        }
        var instance = found.get();
        if (state.replaced(id).isPresent()) {
            return Outcome.refused(Outcome.Code.NO_ROOM, "instance " + id + " is being replaced");
        }
        boolean able = state.worker(instance.worker())
                .map(worker -> worker.hello().resizes())
                .orElse(true);
        if (instance.state() != InstanceState.PENDING && (instance.state() != InstanceState.RUNNING || !able)) {
            return Outcome.refused(
                    Outcome.Code.NO_ROOM,
                    "instance " + id + " is " + instance.state() + (able ? "" : " on a worker that cannot resize"));
        }
        return neverFits(amounts).orElseGet(() -> Outcome.accepted(instance));
    }

    /** The ledger has granted the size, or the instance holds none yet. */
    public Outcome resized(String id, long generation, Resources amounts, Instant now) {
        return unchanged(id, generation, instance -> rules.resized(instance, amounts, now));
    }

    /** The same of an instance that is started anew where it is. */
    public Outcome recreated(String id, long generation, InstanceSpec spec, Instant now) {
        return amended(id, generation, spec, now, instance -> rules.recreate(instance, spec, now));
    }

    /** Another one with this content is to run on another worker before the instance stops. */
    public Outcome replaced(String id, long generation, InstanceSpec spec, Instant now) {
        return amended(id, generation, spec, now, it -> rules.replace(it, spec, "it is replaced", now));
    }

    private Outcome amended(
            String id, long generation, InstanceSpec spec, Instant now, UnaryOperator<Instance> change) {
        UnaryOperator<Instance> waits = it -> rules.amendedPending(it, spec, now);
        return unchanged(id, generation, it -> (it.state() == InstanceState.PENDING ? waits : change).apply(it));
    }

    private Outcome unchanged(String id, long generation, UnaryOperator<Instance> change) {
        var found = state.instance(id).filter(it -> it.numbers().generation() == generation && !it.removed());
        if (found.isEmpty()) {
            return Outcome.refused(Outcome.Code.NO_ROOM, "instance " + id + " has changed meanwhile");
        }
        placing.remove(found.get().uid());
        return Outcome.accepted(change.apply(found.get()));
    }

    /** Whether an instance may be started anew with this content. */
    public Outcome mayAmend(InstanceSpec spec, boolean elsewhere) {
        var found = state.instance(spec.id()).filter(instance -> !instance.removed());
        if (found.isEmpty()) {
            return Outcome.refused(Outcome.Code.NOT_FOUND, "there is no instance " + spec.id());
        }
        var instance = found.get();
        boolean settled = (instance.state() == InstanceState.PENDING || instance.state() == InstanceState.RUNNING)
                && state.replaced(spec.id()).isEmpty();
        if (!settled) {
            return Outcome.refused(Outcome.Code.NO_ROOM, "instance " + spec.id() + " is " + instance.state());
        }
        if (!elsewhere && WorkerNames.isKubernetes(instance.worker())) {
            return Outcome.refused(
                    Outcome.Code.NO_ROOM, "on a node of Kubernetes an instance is replaced, not recreated");
        }
        if (elsewhere && spec.exclusive()) {
            return Outcome.refused(
                    Outcome.Code.NO_ROOM, "an exclusive instance never runs twice, so it is recreated, not replaced");
        }
        return neverFits(spec.requests()).orElseGet(() -> Outcome.accepted(instance));
    }

    /** Empties a worker, or lets it take instances again; returns it if there is one. */
    public Optional<Worker> drain(String worker, Worker.Drain drain) {
        return workers.drain(worker, drain);
    }

    /**
     * The workers that may be given the instance now, by what the ledger does not know. Of many, it is some that seem
     * to have room, others at each call.
     */
    public List<String> candidates(Instance instance, Instant now) {
        return candidates.of(instance, now);
    }

    /** Why workers may not be given the instance, with their number for each reason: {@code RUNTIME 2, SELECTOR 1}. */
    public String obstacles(Instance instance, Instant now) {
        return candidates.obstacles(instance, now);
    }

    /**
     * The room of an attempt is held: the worker is written down. For a gang's member this waits for the others.
     *
     * @return why it cannot be; empty if it is, or if it {@link #startsTogether}
     */
    public Optional<String> bind(String uid, long version, String node, Instant now) {
        var found = state.instance(WorkerNames.instance(uid))
                .filter(instance -> InstanceRules.isAttempt(instance, uid, version));
        if (found.isEmpty()) {
            return Optional.of("the instance has changed since it was offered");
        }
        var worker = WorkerNames.worker(node);
        var taker = state.worker(worker).filter(known -> candidates.takes(known, found.get(), now));
        if (taker.isEmpty()) {
            return Optional.of("worker " + worker + " takes no instance now");
        }
        if (gangs.placesAlone(found.get())) {
            rules.assign(found.get(), worker, now);
            placing.remove(uid);
        } else if (!gangs.held(uid, worker, now)) {
            return Optional.of("its gang is not tried now");
        }
        return Optional.empty();
    }

    /** Whether room is to be held for it and for others, so that a bind is {@link FleetAction.Decided} later. */
    public boolean startsTogether(String uid) {
        return gangs.isTried(uid);
    }

    /** No earlier attempt of the instance can take effect any more. Returns the instance as it is. */
    public Optional<Instance> touch(String uid, Instant now) {
        var found = state.instance(WorkerNames.instance(uid))
                .filter(instance ->
                        instance.uid().equals(uid) && !instance.state().isFinal());
        // Written also where nothing changes, so that the reply follows what was written before.
        found.ifPresent(instance -> state.keep(
                instance.state() == InstanceState.PENDING ? instance.versioned(state.version(now)) : instance));
        return found;
    }

    /** An attempt to place the instance is over without a worker. */
    public void notPlaced(String uid, String reason, Instant now) {
        placing.remove(uid);
        state.instance(WorkerNames.instance(uid))
                .filter(instance -> instance.uid().equals(uid) && instance.state() == InstanceState.PENDING)
                .ifPresent(instance -> {
                    if (rules.isUpdate(instance)) {
                        rules.giveUp(instance, "the update was given up: " + reason, now);
                    } else if (gangs.placesAlone(instance)) {
                        rules.waits(instance, reason, now);
                    }
                });
        gangs.notPlaced(uid, reason, now);
    }

    /** Applies what time alone changes; called each second. */
    public void passed(Instant now) {
        workers.passed(now);
        joins.passed(now);
        gangs.passed(now);
        for (var instance : state.everyInstance()) {
            boolean ready = state.worker(instance.worker())
                    .filter(worker -> worker.state() == WorkerState.READY)
                    .isPresent();
            boolean unanswered = instance.state() == InstanceState.ASSIGNED;
            rules.passed(instance, ready, now);
            if (unanswered
                    && state.instance(instance.id())
                            .filter(next -> next.state() == InstanceState.PENDING)
                            .isPresent()) {
                candidates.exclude(instance.id(), instance.worker(), now);
            }
        }
        candidates.passed(now);
    }

    /** A worker's room can be given away from now on. */
    public void roomCame() {
        gangs.roomCame();
    }

    /** Begins attempts to place what waits, those that wait longest first. */
    public void place(int most, Instant now) {
        boolean back = state.workers().stream().noneMatch(worker -> worker.state() == WorkerState.SUSPECT);
        if (now.isBefore(placeFrom) && !back) {
            return;
        }
        placeFrom = Instant.EPOCH;
        gangs.begin(now);
        state.pending()
                .filter(instance -> !instance.retry().notBefore().isAfter(now)
                        && !placing.contains(instance.uid())
                        && gangs.placesAlone(instance))
                .limit(Math.max(0, most - placing.size()))
                .toList()
                .forEach(instance -> {
                    placing.add(instance.uid());
                    state.act(new Place(instance));
                });
    }

    /** How often the worker is to send a heartbeat from now on; its lease is of the same measure. */
    public Duration heartbeat(String worker) {
        return workers.heartbeat(worker);
    }
}
