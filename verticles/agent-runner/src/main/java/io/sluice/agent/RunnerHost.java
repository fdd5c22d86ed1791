package io.sluice.agent;

import io.sluice.agent.core.RunnerHealth;
import io.sluice.agent.core.TimerCoalescer;
import io.sluice.agent.core.runner.Runner;
import io.sluice.agent.core.runner.RunnerAction;
import io.sluice.agent.core.runner.RunnerEvent;
import io.sluice.agent.core.runner.RunnerHandover;
import io.sluice.agent.core.status.ScalingStatus;
import io.sluice.agent.core.status.WaitCause;
import io.sluice.agent.metrics.AgentMetrics;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.monitor.DetachMonitor;
import io.sluice.shell.LogKeys;
import io.sluice.trace.CurrentSpan;
import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a runner for one VM: passes events to it, carries out its actions, publishes the VM's status, and starts the
 * next runner when one ends. A fault here affects this VM only. All on its verticle's context.
 *
 * <p>After a hand-over another process publishes the VM's status: this host publishes nothing more, and ends when the
 * last reply has arrived.
 */
final class RunnerHost {
    private static final Logger LOG = LoggerFactory.getLogger(RunnerHost.class);

    private final HostContext context;
    private final AgentMetrics metrics;
    private final Consumer<RunnerHost> ended;
    private final Queue<RunnerEvent> inbox = new ArrayDeque<>();
    private final RunnerHistory logbook = new RunnerHistory();
    private final ResizeTrace trace;
    private Optional<RunnerHealth> health = Optional.empty();
    private VmObserved observed;
    private String monitorAt;
    private boolean gone;
    private boolean handedOver;
    private boolean silent;
    private Optional<Runner> runner = Optional.empty();
    private Optional<ScalingStatus> status = Optional.empty();
    private RunnerHandover resume = RunnerHandover.FRESH;
    private Instant startedAt = Instant.EPOCH;
    private boolean draining;
    private boolean restarting;
    private OptionalLong timer = OptionalLong.empty();

    /** {@code ended}: called once the VM is handed over and no request is under way any more. */
    RunnerHost(HostContext context, VmObserved observed, Consumer<RunnerHost> ended) {
        this.context = context;
        this.metrics = context.metrics();
        this.observed = observed;
        this.ended = ended;
        this.monitorAt = context.dispatchers().nearest(observed.vm());
        this.trace = new ResizeTrace(context.tracer(), metrics);
    }

    VmId vm() {
        return observed.vm();
    }

    /** Whether the VM is assigned to this process, as of the last call. */
    boolean holds() {
        return !handedOver;
    }

    /**
     * A new observation of a VM that is assigned to this process; older observations change nothing. After a hand-over,
     * the next runner starts once the one that is ending has ended.
     */
    void observed(VmObserved vm) {
        handedOver = false;
        if (vm.version() < observed.version()) {
            return;
        }
        observed = vm;
        metrics.observed(vm);
        if (runner.isPresent()) {
            send(new RunnerEvent.VmChanged(vm));
        } else if (!restarting) {
            startIfServed();
        }
    }

    /** The VM was deleted: this host ends by itself, when its runner has. */
    void gone() {
        gone = true;
        metrics.gone(observed.vm());
        if (runner.isPresent()) {
            send(new RunnerEvent.VmDeleted());
        } else {
            cancelTimer();
            publish(status(WaitCause.stopped("the VM was deleted")));
        }
    }

    /** The VM is assigned to another process. */
    void handOver() {
        if (handedOver) {
            return;
        }
        handedOver = true;
        silent = true;
        metrics.gone(observed.vm());
        context.statuses().forget(observed.vm());
        if (runner.isPresent()) {
            send(new RunnerEvent.HandedOver());
        } else {
            leaveQuietly();
        }
    }

    private void leaveQuietly() {
        restarting = false;
        cancelTimer();
        ended.accept(this);
    }

    /** The set of processes has changed. */
    void peersChanged() {
        var before = monitorAt;
        monitorAt = context.dispatchers().nearest(observed.vm());
        if (!monitorAt.equals(before)) {
            send(new RunnerEvent.MonitorMoved());
        }
    }

    /** Ends at once, without waiting for replies: the process is shutting down. */
    void abandon() {
        gone = true;
        runner = Optional.empty();
        trace.end();
        cancelTimer();
        publish(status(WaitCause.stopped("its agent is shutting down")));
    }

    /** The health of its runner; empty without one. */
    Optional<RunnerHealth> health() {
        return health;
    }

    /** An event for the current runner. */
    void send(RunnerEvent event) {
        runner.ifPresent(present -> handle(present, event));
    }

    /** All data of the VM and its runner, as JSON. */
    String dump() {
        return RunnerDump.of(observed, runner, status, logbook, now()).encode();
    }

    private void startIfServed() {
        boolean inPlaceOfAnother = restarting;
        restarting = false;
        if (gone) {
            return;
        }
        silent = false;
        if (!Runner.serves(observed)) {
            leftAlone();
            return;
        }
        startedAt = now();
        health = Optional.of(new RunnerHealth(startedAt));
        logbook.started(startedAt);
        metrics.started(inPlaceOfAnother);
        try {
            runner = Optional.of(context.factory().make(observed, resume));
        } catch (RuntimeException fault) {
            fault(fault);
            return;
        }
        send(new RunnerEvent.Started());
    }

    /** A VM that was never scaled here gets a status only while it migrates. */
    private void leftAlone() {
        if (observed.phase() == VmPhase.MIGRATING && observed.autoscaled()) {
            publish(status(WaitCause.moving("the VM is on its way to another node")));
        } else {
            publish(status(
                    WaitCause.stopped(observed.autoscaled() ? "the VM is " + observed.phase() : "not autoscaled")));
        }
    }

    /** A reply to a runner that has ended is dropped. One that arrives while another event is handled is queued. */
    private void handle(Runner target, RunnerEvent event) {
        if (!isCurrent(target)) {
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
        metrics.received(event);
        if (event instanceof RunnerEvent.SessionAnswered(var _, OpenReply.Opened(var session, var _, var _))) {
            resume = resume.inSession(session, target.pod().pod());
        }
        trace.received(event, now());
        health.ifPresent(it -> it.received(event, now()));
        target.record(context.steps().isOpen());
        for (var action : target.on(event, now())) {
            perform(target, action);
        }
        context.steps().publish(target);
        var measured = target.takeMeasures();
        metrics.measured(measured);
        trace.stepped(measured.latencies(), now());
        if (runner.isPresent()) {
            metrics.stage(observed.vm(), target.stage());
            metrics.goals(observed.vm(), target.goalCu(), target.shadowCu());
        }
        publish(target.status(now()));
    }

    /** The VM's status by the last known numbers. */
    private ScalingStatus status(WaitCause cause) {
        return status.map(last -> last.because(cause)).orElseGet(() -> ScalingStatus.unserved(observed, cause));
    }

    private void publish(ScalingStatus now) {
        status = Optional.of(now);
        if (silent) {
            return;
        }
        metrics.published(now);
        context.statuses().record(now);
    }

    private void perform(Runner target, RunnerAction action) {
        switch (action) {
            case RunnerAction.Request request -> send(target, request);
            case RunnerAction.DetachFromMonitor(var request, var at) -> detach(request, at.orElse(monitorAt));
            case RunnerAction.WakeAt(var when) -> wakeAt(target, when);
            case RunnerAction.Report(var decision) -> {
                metrics.reported(decision);
                CurrentSpan.during(trace.span(), () -> context.decisions().write(decision, now()));
                context.ports().publish(decision);
            }
            case RunnerAction.Record(var recorded) -> {
                metrics.recorded(recorded);
                context.ports().publish(recorded);
            }
            case RunnerAction.Warn(var sentence) ->
                LOG.atWarn()
                        .addKeyValue(LogKeys.VM, label())
                        .addKeyValue(LogKeys.REASON, sentence)
                        .log("A runner reports a problem, and goes on.");
            case RunnerAction.Stop stop -> stopped(stop);
        }
    }

    /**
     * If the VM's next runner requests the session at the same place, the session goes on; otherwise it ends by itself.
     */
    private void detach(DetachMonitor request, String at) {
        if (!handedOver || !context.dispatchers().mayServeOthers(request.vm(), at)) {
            context.ports().detach(request, at);
        }
    }

    private void send(Runner target, RunnerAction.Request request) {
        metrics.requested(request);
        var span = trace.sent(target.pod(), request, now());
        CurrentSpan.during(span, () -> context.ports().send(request))
                .onSuccess(event -> answered(target, request, event))
                .onFailure(fault -> failed(target, fault));
    }

    /** A reply that cannot even be counted is also a fault of the runner that sent the request. */
    private void answered(Runner target, RunnerAction.Request request, RunnerEvent event) {
        try {
            record(target, request, event);
        } catch (RuntimeException nonsense) {
            failed(target, nonsense);
            return;
        }
        handle(target, event);
    }

    private void record(Runner target, RunnerAction.Request request, RunnerEvent event) {
        metrics.answered(request, event);
        if (isCurrent(target)) {
            logbook.answered(request, event, now());
            trace.answered(request, event, now());
            health.ifPresent(it -> it.answered(request, event, now()));
        }
    }

    private void failed(Runner target, Throwable fault) {
        if (isCurrent(target)) {
            fault(fault);
        }
    }

    private boolean isCurrent(Runner target) {
        return runner.filter(present -> present == target).isPresent();
    }

    private void wakeAt(Runner target, Instant when) {
        var now = now();
        setTimer(
                Duration.between(now, TimerCoalescer.together(when, now)),
                () -> handle(target, new RunnerEvent.Woken()));
    }

    private void stopped(RunnerAction.Stop stop) {
        LOG.atInfo()
                .addKeyValue(LogKeys.VM, label())
                .addKeyValue(LogKeys.REASON, stop.sentence())
                .log("A runner ended.");
        resume = stop.resume();
        leave(stop.sentence());
        stop.restartAfter().ifPresent(wait -> metrics.restarts(stop.reason()));
        follow(stop.restartAfter());
    }

    /**
     * The fault is in this VM's data, or in the code that handled it: it is logged in full, and a new runner starts.
     */
    private void fault(Throwable fault) {
        LOG.atWarn().addKeyValue(LogKeys.VM, label()).setCause(fault).log("A runner failed and will be replaced.");
        metrics.failed();
        runner.ifPresent(failed -> resume = resume.keeping(failed.overrides()));
        leave("it failed: " + fault);
        var lived = Duration.between(startedAt, now());
        var wait =
                context.factory().restarts().afterFault(lived, context.shell().random());
        publish(status(WaitCause.failed("the runner failed: " + fault, now().plus(wait))));
        follow(Optional.of(wait));
    }

    private void leave(String sentence) {
        runner = Optional.empty();
        logbook.ended(sentence);
        health = Optional.empty();
        trace.end();
        cancelTimer();
        metrics.ended(observed.vm());
    }

    /** Never in the same turn: a runner that fails at its start must not cause a call of this method without end. */
    private void follow(Optional<Duration> after) {
        if (handedOver) {
            leaveQuietly();
            return;
        }
        restarting = true;
        setTimer(after.orElse(Duration.ZERO), this::startIfServed);
    }

    private void setTimer(Duration wait, Runnable then) {
        cancelTimer();
        long millis = Math.max(1, wait.plusNanos(999_999).toMillis());
        timer = OptionalLong.of(context.vertx().setTimer(millis, id -> {
            timer = OptionalLong.empty();
            then.run();
        }));
    }

    private void cancelTimer() {
        timer.ifPresent(context.vertx()::cancelTimer);
        timer = OptionalLong.empty();
    }

    private Instant now() {
        return context.shell().clock().instant();
    }

    private String label() {
        return observed.vm().label();
    }
}
