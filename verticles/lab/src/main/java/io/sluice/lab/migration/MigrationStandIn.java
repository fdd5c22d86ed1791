package io.sluice.lab.migration;

import io.sluice.lab.api.ApiClient;
import io.sluice.lab.api.LabPaths;
import io.sluice.lab.controller.Delay;
import io.sluice.lab.faults.LabFaults;
import io.sluice.lab.migration.core.LabMigrationView;
import io.sluice.lab.migration.core.MigrationFault;
import io.sluice.lab.migration.core.MigrationRules;
import io.sluice.lab.migration.core.MigrationStep;
import io.sluice.shell.LogKeys;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Simulates NeonVM's migration controller: it takes each VirtualMachineMigration through its phases, with the durations
 * of a real one. It undoes a migration that fails or is deleted before its end. It reads all objects again for each
 * step.
 */
public final class MigrationStandIn {
    private static final Logger LOG = LoggerFactory.getLogger(MigrationStandIn.class);
    private static final Duration POLL = Duration.ofMillis(50);
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final Vertx vertx;
    private final ApiClient api;
    private final InstantSource clock;
    private final Pace pace;
    private final LabFaults faults;
    private final MigrationWork work;

    /** By the uids of the objects, so there are never more entries than objects. */
    private final Map<String, Walk> walks = new HashMap<>();

    /** The migration that has locked each VM. */
    private final Map<String, String> locks = new HashMap<>();

    /**
     * How long each phase takes.
     *
     * @param begin from the object's creation until its VM is locked
     * @param pending until the target pod runs
     * @param running until the VM is copied
     */
    public record Pace(Delay begin, Delay pending, Delay running) {
        Duration next(LabMigrationView.Phase phase) {
            return switch (phase) {
                case NEW -> begin.next();
                case PENDING -> pending.next();
                case RUNNING -> running.next();
                case SUCCEEDED, FAILED -> Duration.ZERO;
            };
        }
    }

    /** The progress of one migration. */
    private static final class Walk {
        private final String name;
        private final String vm;
        private final Optional<MigrationFault> fault;
        private Optional<LabMigrationView.Phase> phase = Optional.empty();
        private Instant due = Instant.MIN;
        private boolean targetMade;
        private boolean resting = true;
        private boolean news;

        Walk(LabMigrationObject migration, Optional<MigrationFault> fault) {
            this.name = migration.name();
            this.vm = migration.vmName();
            this.fault = fault;
        }
    }

    /** It begins when it is started. */
    public MigrationStandIn(Vertx vertx, ApiClient api, InstantSource clock, Pace pace, LabFaults faults) {
        this.vertx = vertx;
        this.api = api;
        this.clock = clock;
        this.pace = pace;
        this.faults = faults;
        this.work = new MigrationWork(vertx, api);
    }

    /** Begins to watch; ends with the API client. */
    public void start() {
        api.follow(LabPaths.MIGRATIONS, this::changed, gone -> forget(new LabMigrationObject(gone).uid()));
    }

    private void changed(JsonObject object) {
        var migration = new LabMigrationObject(object);
        var walk = walks.computeIfAbsent(migration.uid(), uid -> begun(migration));
        walk.news = true;
        if (walk.resting) {
            walk.resting = false;
            step(migration.uid(), walk);
        }
    }

    private Walk begun(LabMigrationObject migration) {
        boolean isNew = migration.phase() == LabMigrationView.Phase.NEW;
        return new Walk(migration, isNew ? faults.takeNext() : Optional.empty());
    }

    private void forget(String uid) {
        walks.remove(uid);
        locks.values().remove(uid);
    }

    private void step(String uid, Walk walk) {
        if (api.isClosed() || walks.get(uid) != walk) {
            return;
        }
        walk.news = false;
        api.find(LabPaths.migration(walk.name))
                .map(found -> found.map(LabMigrationObject::new)
                        .filter(migration -> migration.uid().equals(uid)))
                .compose(found -> found.map(migration -> go(migration, walk)).orElseGet(() -> {
                    forget(uid);
                    return Future.succeededFuture(MigrationStep.REST);
                }))
                .onSuccess(done -> after(done, uid, walk))
                .onFailure(failure -> retry(failure, uid, walk));
    }

    private void after(MigrationStep done, String uid, Walk walk) {
        if (done == MigrationStep.REST && !walk.news) {
            walk.resting = true;
        } else {
            vertx.setTimer(POLL.toMillis(), timer -> step(uid, walk));
        }
    }

    private void retry(Throwable failure, String uid, Walk walk) {
        LOG.atDebug()
                .addKeyValue(LogKeys.VM, LabPaths.NAMESPACE + "/" + walk.vm)
                .addKeyValue(LogKeys.REASON, String.valueOf(failure.getMessage()))
                .log("A step of a migration could not be done; trying again.");
        var pause = ApiClient.isConflict(failure) ? POLL : RETRY;
        vertx.setTimer(pause.toMillis(), timer -> step(uid, walk));
    }

    private Future<MigrationStep> go(LabMigrationObject migration, Walk walk) {
        return look(migration, walk).compose(scene -> {
            var view = scene.view();
            var now = clock.instant();
            if (!walk.phase.equals(Optional.of(view.phase()))) {
                walk.phase = Optional.of(view.phase());
                walk.due = now.plus(pace.next(view.phase()));
            }
            var fault = walk.fault.or(() -> faults.ofMigrations(walk.vm));
            var step = MigrationRules.next(view, !now.isBefore(walk.due), fault);
            if (step == MigrationStep.BEGIN) {
                locks.putIfAbsent(walk.vm, migration.uid());
            }
            return work.perform(step, scene, fault).map(done -> {
                finish(step, migration.uid(), walk);
                return step;
            });
        });
    }

    private void finish(MigrationStep done, String uid, Walk walk) {
        switch (done) {
            case CREATE_TARGET -> walk.targetMade = true;
            case SWITCH_OVER, FREE_VM, LET_GO -> locks.remove(walk.vm, uid);
            case WAIT, REST, ADOPT, BEGIN, BIND_TARGET, START_TARGET, BEGIN_COPY, KILL_TARGET, FAIL -> {}
            case DROP_SOURCE, DROP_TARGET -> {}
        }
    }

    private Future<Scene> look(LabMigrationObject migration, Walk walk) {
        return api.find(LabPaths.vm(walk.vm))
                .compose(vm -> target(migration).map(pod -> {
                    walk.targetMade |= pod.isPresent();
                    return new Scene(migration, vm, pod, Optional.ofNullable(locks.get(walk.vm)), walk.targetMade);
                }));
    }

    private Future<Optional<JsonObject>> target(LabMigrationObject migration) {
        return migration.targetPod().isEmpty()
                ? Future.succeededFuture(Optional.empty())
                : api.find(LabPaths.pod(migration.targetPod()));
    }
}
