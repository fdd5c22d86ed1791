package io.sluice.agent;

import io.sluice.agent.core.runner.Resume;
import io.sluice.agent.core.runner.Runner;
import io.sluice.agent.core.runner.RunnerAction;
import io.sluice.agent.core.runner.RunnerEvent;
import io.sluice.messages.cluster.VmSeen;
import io.sluice.messages.ledger.OpenReply;
import io.sluice.shell.LogKeys;
import io.sluice.shell.Shell;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a runner for one VM: tells it what happens, does what it decides, and follows it with another when it ends.
 * What goes wrong here stays here. All on its verticle's context.
 */
final class RunnerHost {
    private static final Logger LOG = LoggerFactory.getLogger(RunnerHost.class);

    private final Vertx vertx;
    private final Shell shell;
    private final RunnerFactory factory;
    private final Ports ports;
    private final RunnerMeters meters;
    private final Queue<RunnerEvent> inbox = new ArrayDeque<>();
    private VmSeen seen;
    private boolean gone;
    private Optional<Runner> runner = Optional.empty();
    private Resume resume = Resume.FRESH;
    private Instant startedAt = Instant.EPOCH;
    private boolean draining;
    private boolean restarting;
    private OptionalLong timer = OptionalLong.empty();

    RunnerHost(Vertx vertx, Shell shell, RunnerFactory factory, Ports ports, RunnerMeters meters, VmSeen seen) {
        this.vertx = vertx;
        this.shell = shell;
        this.factory = factory;
        this.ports = ports;
        this.meters = meters;
        this.seen = seen;
    }

    /** The VM's object is this now; older facts change nothing. */
    void seen(VmSeen vm) {
        if (vm.version() < seen.version()) {
            return;
        }
        seen = vm;
        if (runner.isPresent()) {
            tell(new RunnerEvent.VmChanged(vm));
        } else if (!restarting) {
            startIfServed();
        }
    }

    /** The VM was deleted: this host ends by itself, when its runner has. */
    void gone() {
        gone = true;
        if (runner.isPresent()) {
            tell(new RunnerEvent.VmDeleted());
        } else {
            cancelTimer();
        }
    }

    /** Ends now, without waiting for anything: the process is going down. */
    void abandon() {
        gone = true;
        runner = Optional.empty();
        cancelTimer();
    }

    /** Something happened to the VM. */
    void tell(RunnerEvent event) {
        runner.ifPresent(present -> handle(present, event));
    }

    private void startIfServed() {
        restarting = false;
        if (gone || !Runner.serves(seen)) {
            return;
        }
        startedAt = shell.clock().instant();
        try {
            runner = Optional.of(factory.make(seen, resume));
        } catch (RuntimeException fault) {
            fault(fault);
            return;
        }
        tell(new RunnerEvent.Started());
    }

    /** An answer to a runner that is no more is nobody's. One that comes while others are dealt with waits its turn. */
    private void handle(Runner target, RunnerEvent event) {
        if (runner.filter(present -> present == target).isEmpty()) {
            return;
        }
        inbox.add(event);
        if (draining) {
            return;
        }
        draining = true;
        try {
            while (!inbox.isEmpty() && runner.isPresent()) {
                step(runner.get(), inbox.remove());
            }
        } catch (RuntimeException | StackOverflowError fault) {
            fault(fault);
        } finally {
            draining = false;
            inbox.clear();
        }
    }

    private void step(Runner target, RunnerEvent event) {
        meters.count(event);
        if (event instanceof RunnerEvent.SessionAnswered(var _, OpenReply.Opened(var session, var _, var _))) {
            resume = new Resume(session, seen.pod(), resume.supersededInARow());
        }
        for (var action : target.on(event, shell.clock().instant())) {
            perform(target, action);
        }
        if (runner.isPresent()) {
            meters.stage(seen.vm(), target.state().stage());
        }
    }

    private void perform(Runner target, RunnerAction action) {
        switch (action) {
            case RunnerAction.Request request -> send(target, request);
            case RunnerAction.DetachFromMonitor(var question) -> ports.detach(question);
            case RunnerAction.WakeAt(var when) -> wakeAt(target, when);
            case RunnerAction.Report(var decision) -> {
                meters.count(decision);
                ports.publish(decision);
            }
            case RunnerAction.Warn(var sentence) ->
                LOG.atWarn()
                        .addKeyValue(LogKeys.VM, label())
                        .addKeyValue(LogKeys.REASON, sentence)
                        .log("A runner has trouble, and goes on.");
            case RunnerAction.Stop stop -> ended(stop);
        }
    }

    private void send(Runner target, RunnerAction.Request request) {
        meters.count(request);
        ports.send(request).onSuccess(event -> answered(target, request, event)).onFailure(fault -> {
            if (runner.filter(present -> present == target).isPresent()) {
                fault(fault);
            }
        });
    }

    private void answered(Runner target, RunnerAction.Request request, RunnerEvent event) {
        if (event instanceof RunnerEvent.RequestLost) {
            meters.lost(request);
        }
        handle(target, event);
    }

    private void wakeAt(Runner target, Instant when) {
        setTimer(Duration.between(shell.clock().instant(), when), () -> handle(target, new RunnerEvent.Woken()));
    }

    private void ended(RunnerAction.Stop stop) {
        LOG.atInfo()
                .addKeyValue(LogKeys.VM, label())
                .addKeyValue(LogKeys.REASON, stop.sentence())
                .log("A runner ended.");
        resume = stop.resume();
        leave();
        stop.restartAfter().ifPresent(wait -> meters.restarted(stop.reason().name()));
        follow(stop.restartAfter());
    }

    /** A fault is in this VM's data, or in the code that met it: it is said in full, and mended by a new start. */
    private void fault(Throwable fault) {
        LOG.atWarn().addKeyValue(LogKeys.VM, label()).setCause(fault).log("A runner failed and will be replaced.");
        meters.restarted("FAULT");
        leave();
        var lived = Duration.between(startedAt, shell.clock().instant());
        follow(Optional.of(factory.restarts().afterFault(lived, shell.random())));
    }

    private void leave() {
        runner = Optional.empty();
        cancelTimer();
        meters.left(seen.vm());
    }

    /** Never at once within the same turn: whoever fails at its start must not call itself for ever. */
    private void follow(Optional<Duration> after) {
        restarting = true;
        setTimer(after.orElse(Duration.ZERO), this::startIfServed);
    }

    private void setTimer(Duration wait, Runnable then) {
        cancelTimer();
        long millis = Math.max(1, wait.plusNanos(999_999).toMillis());
        timer = OptionalLong.of(vertx.setTimer(millis, id -> {
            timer = OptionalLong.empty();
            then.run();
        }));
    }

    private void cancelTimer() {
        timer.ifPresent(vertx::cancelTimer);
        timer = OptionalLong.empty();
    }

    private String label() {
        return seen.vm().label();
    }
}
