package io.sluice.placement.elastic;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.bus.PlacementAddresses;
import io.sluice.bus.VmAddresses;
import io.sluice.messages.ledger.KeepReply;
import io.sluice.messages.ledger.KeepRoom;
import io.sluice.messages.ledger.KeptRoom;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.ledger.SnapshotRequest;
import io.sluice.messages.vm.ElasticJobList;
import io.sluice.messages.vm.ListElasticJobs;
import io.sluice.messages.vm.ScaleJob;
import io.sluice.messages.vm.ScaleReply;
import io.sluice.placement.PlacementObservations;
import io.sluice.placement.core.elastic.ElasticJob;
import io.sluice.placement.core.elastic.ElasticOutcome;
import io.sluice.placement.core.elastic.ElasticPlan;
import io.sluice.placement.core.elastic.ElasticPlanner;
import io.sluice.placement.core.elastic.ElasticRooms;
import io.sluice.placement.core.elastic.LedgerRoom;
import io.sluice.placement.core.elastic.ObservedJob;
import io.sluice.placement.core.elastic.WaitingGangs;
import io.sluice.shell.Assignment;
import io.sluice.shell.LogKeys;
import io.sluice.shell.Shell;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Scales elastic jobs: plans how many members each has, and writes that to their statuses and to what they scale. One
 * process at a time does so; what it decided is in the statuses, so another one goes on. It creates and deletes no
 * pods.
 */
public final class ElasticVerticle extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(ElasticVerticle.class);
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String PART = "elastic";
    private static final String ALL_NODES = "";
    private static final Duration LOOK_EVERY = Duration.ofSeconds(2);
    private static final Duration KEEP_EVERY = Duration.ofSeconds(1);
    private static final int KEEP_AGAIN = 5;
    private static final Duration KEPT_FOR = Duration.ofSeconds(20);
    private static final List<Class<? extends ElasticPlan.Change>> COUNTED = List.of(
            ElasticPlan.Begin.class,
            ElasticPlan.Grow.class,
            ElasticPlan.Shrink.class,
            ElasticPlan.Resize.class,
            ElasticPlan.GiveBack.class);

    private final ElasticConfig config;
    private final Shell shell;
    private final Assignment assignment;
    private final InstantSource timeOfDay;
    private final Map<String, Instant> begun = new HashMap<>();
    private Bus bus;
    private final Set<KeptRoom> requested = new HashSet<>();
    private volatile List<KeptRoom> kept = List.of();
    private final WaitingGangs gangs;
    private Set<String> known = Set.of();
    private Instant lastPlan = Instant.MIN;
    private boolean unsettled;
    private boolean busy;
    private int looks;
    private volatile int jobs;
    private volatile int waiting;

    /** @param timeOfDay for times that are written to statuses, which other processes read */
    public ElasticVerticle(ElasticConfig config, Shell shell, InstantSource timeOfDay) {
        this.config = Objects.requireNonNull(config, "config");
        this.shell = Objects.requireNonNull(shell, "shell");
        this.timeOfDay = Objects.requireNonNull(timeOfDay, "timeOfDay");
        gangs = new WaitingGangs(PlacementObservations.PODS_MAX, config.shrinkTimeout());
        assignment = new Assignment(shell.peers(), PART);
    }

    @Override
    public Future<?> start() {
        bus = new Bus(vertx);
        Gauge.builder("sluice.elastic.jobs", () -> jobs)
                .description("Elastic jobs that this process scales")
                .register(shell.meters());
        Gauge.builder("sluice.elastic.jobs.waiting", () -> waiting)
                .description("Elastic jobs that lack members of their minimum")
                .register(shell.meters());
        Gauge.builder("sluice.elastic.rooms.kept", () -> kept.size())
                .description("Nodes on which room is kept for the members of elastic jobs")
                .register(shell.meters());
        COUNTED.forEach(change -> count(change, 0));
        vertx.setPeriodic(LOOK_EVERY.toMillis(), timer -> look());
        vertx.setPeriodic(KEEP_EVERY.toMillis(), timer -> keep());
        return Future.all(
                bus.subscribe(PlacementAddresses.GANG, gang -> gangs.received(gang, timeOfDay.instant())),
                bus.subscribe(ClusterAddresses.POD_PENDING, gangs::received),
                bus.subscribe(ClusterAddresses.POD_OBSERVED, pod -> gangs.waitsNoMore(pod.uid())),
                bus.subscribe(ClusterAddresses.POD_GONE, pod -> gangs.waitsNoMore(pod.uid())));
    }

    private void count(Class<? extends ElasticPlan.Change> change, int by) {
        Counter.builder("sluice.elastic.changes")
                .description("Changes of elastic jobs")
                .tag("change", change.getSimpleName().toLowerCase(Locale.ROOT))
                .register(shell.meters())
                .increment(by);
    }

    /** Requests what has changed at once, and all again before it ends. */
    private void keep() {
        boolean all = ++looks % KEEP_AGAIN == 0;
        requested.stream()
                .filter(room -> kept.stream().noneMatch(other -> isSame(room, other)))
                .forEach(room -> bus.request(LedgerAddresses.KEEP, KeepRoom.end(room)));
        requested.retainAll(kept);
        for (var room : kept) {
            if (requested.add(room) || all) {
                bus.request(LedgerAddresses.KEEP, new KeepRoom(room, KEPT_FOR))
                        .otherwise(lost -> new KeepReply.Ended())
                        .onSuccess(reply -> {
                            if (!(reply instanceof KeepReply.Kept)) {
                                requested.remove(room);
                            }
                        });
            }
        }
    }

    private static boolean isSame(KeptRoom one, KeptRoom other) {
        return one.node().equals(other.node()) && one.uid().equals(other.uid());
    }

    private void look() {
        if (!assignment.mine(PART)) {
            // Another process keeps them from now on, or they end.
            kept = List.of();
            requested.clear();
            known = Set.of();
            gangs.forget();
            jobs = 0;
            waiting = 0;
            return;
        }
        if (busy) {
            return;
        }
        busy = true;
        bus.request(VmAddresses.ELASTIC_JOBS, new ListElasticJobs(false))
                .compose(list -> {
                    var names = Set.copyOf(list.jobs());
                    boolean changed = list.failure().isEmpty() && !names.equals(known);
                    boolean due =
                            !lastPlan.plus(config.tick()).isAfter(shell.clock().instant());
                    boolean gangWaits = gangs.takeChanged() && !names.isEmpty();
                    return changed || due || gangWaits || unsettled ? plan(names) : Future.succeededFuture();
                })
                .onFailure(failure -> LOG.atWarn()
                        .addKeyValue(LogKeys.REASON, String.valueOf(failure.getMessage()))
                        .log("Elastic jobs could not be planned; trying again."))
                .onComplete(done -> busy = false);
    }

    /** The ledger is read last: a member that is not listed as bound may count there already, and never the reverse. */
    private Future<Void> plan(Set<String> names) {
        Future<ElasticJobList> list = bus.request(VmAddresses.ELASTIC_JOBS, new ListElasticJobs(true));
        Future<Snapshot> ledger =
                list.compose(listed -> bus.request(LedgerAddresses.SNAPSHOT, new SnapshotRequest(ALL_NODES)));
        return ledger.compose(read -> {
            if (!list.result().failure().isEmpty()) {
                return Future.failedFuture(list.result().failure());
            }
            var observed = list.result().jobs().stream()
                    .map(ElasticVerticle::read)
                    .map(ObservedJob::of)
                    .toList();
            known = names;
            lastPlan = shell.clock().instant();
            return apply(observed, LedgerRoom.of(read.nodes()));
        });
    }

    private static JsonNode read(String job) {
        try {
            return MAPPER.readTree(job);
        } catch (JsonProcessingException noJson) {
            throw new IllegalArgumentException("a job is no JSON: " + noJson.getOriginalMessage(), noJson);
        }
    }

    private Future<Void> apply(List<ObservedJob> observed, LedgerRoom room) {
        var now = timeOfDay.instant();
        var scaled = observed.stream().flatMap(job -> job.job().stream()).toList();
        var planned =
                Stream.concat(scaled.stream(), gangs.jobs(scaled, now).stream()).toList();
        var plan = ElasticPlanner.plan(config.rules(), room, ObservedJob.quotas(observed), planned, now);
        follow(observed, scaled, plan, room, now);
        gangs.decided(plan, now);
        unsettled |= gangs.awaits();
        Future<Void> written = Future.succeededFuture();
        for (var write : ElasticOutcome.writes(observed, plan, now)) {
            written = written.compose(before -> write(write));
        }
        return written.onSuccess(done -> plan.changes().stream()
                .filter(change -> scaled.stream().anyMatch(job -> job.id().equals(change.job())))
                .forEach(this::counted));
    }

    /** The room that jobs give is kept from the moment of the decision, and until the members run for which it is. */
    private void follow(
            List<ObservedJob> observed, List<ElasticJob> planned, ElasticPlan plan, LedgerRoom room, Instant now) {
        var after = ElasticOutcome.after(observed, plan, now);
        planned.stream()
                .filter(job -> job.handover().isPresent())
                .filter(job -> after.get(job.id()).handover().isEmpty())
                .forEach(job -> begun.put(job.id(), now));
        begun.values().removeIf(since -> since.plus(config.shrinkTimeout()).isBefore(now));
        begun.keySet().removeIf(id -> !after.containsKey(id) || after.get(id).coming() == 0);
        kept = ElasticRooms.kept(
                room,
                observed.stream()
                        .map(one -> one.job().isEmpty()
                                ? one
                                : new ObservedJob(
                                        one.id(),
                                        Optional.of(after.get(one.id())),
                                        one.broken(),
                                        one.replicas(),
                                        one.object()))
                        .toList(),
                begun.keySet());
        jobs = observed.size();
        waiting = (int)
                after.values().stream().filter(job -> job.target() < job.min()).count();
        unsettled = !begun.isEmpty()
                || after.values().stream()
                        .anyMatch(job -> job.handover()
                                .filter(ElasticJob.Handover::isAwaited)
                                .isPresent());
    }

    private void counted(ElasticPlan.Change change) {
        if (COUNTED.contains(change.getClass())) {
            count(change.getClass(), 1);
        }
    }

    /** What was refused has changed meanwhile: all is read and planned again. */
    private Future<Void> write(ElasticOutcome.Write write) {
        var object = write.job().object();
        var reference = object.path("targetRef");
        var request = new ScaleJob(
                object.path("namespace").asText(""),
                object.path("name").asText(""),
                object.path("version").asText(""),
                write.status().toString(),
                new ScaleJob.Target(
                        reference.path("apiVersion").asText(""),
                        reference.path("kind").asText(""),
                        reference.path("name").asText(""),
                        object.path("scaleVersion").asText("")),
                write.replicas() == write.job().replicas() ? -1 : write.replicas(),
                write.resizes().stream()
                        .flatMap(resize -> resize.pods().stream().map(pod -> new ScaleJob.Resize(pod, resize.size())))
                        .toList());
        Future<ScaleReply> reply = bus.request(VmAddresses.SCALE_JOB, request);
        return reply.compose(written -> {
            LOG.atInfo()
                    .addKeyValue(LogKeys.KIND, write.job().id())
                    .addKeyValue(
                            LogKeys.REASON,
                            write.status().at("/conditions/0/message").asText())
                    .log("A decision about an elastic job.");
            if (written.refusal().isEmpty()) {
                return Future.succeededFuture();
            }
            unsettled = true;
            return Future.failedFuture(write.job().id() + ": " + written.refusal());
        });
    }
}
