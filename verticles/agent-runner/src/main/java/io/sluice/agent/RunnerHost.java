package io.sluice.agent;

import io.sluice.agent.core.TimerCoalescer;
import io.sluice.agent.core.runner.Runner;
import io.sluice.agent.core.runner.RunnerAction;
import io.sluice.agent.core.runner.RunnerEvent;
import io.sluice.agent.core.runner.RunnerHandover;
import io.sluice.agent.core.runner.ScalingStatus;
import io.sluice.agent.core.runner.WaitCause;
import io.sluice.messages.agent.GoalBasis;
import io.sluice.messages.agent.Waiting;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.ledger.OpenReply;
import io.sluice.messages.monitor.DetachMonitor;
import io.sluice.shell.LogKeys;
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
 * Keeps a runner for one VM: tells it what happens, does what it decides, says where the VM stands, and follows the
 * runner with another when it ends. What goes wrong here stays here. All on its verticle's context.
 *
 * <p>When the VM is handed over, another process says where it stands: this one falls silent at once, and is gone when
 * the last answer is there.
 */
final class RunnerHost {
    private static final Logger LOG = LoggerFactory.getLogger(RunnerHost.class);

    private final HostContext shared;
    private final Consumer<RunnerHost> ended;
    private final Queue<RunnerEvent> inbox = new ArrayDeque<>();
    private final DecisionLog decisions = new DecisionLog();
    private final RunnerHistory logbook = new RunnerHistory();
    private VmObserved seen;
    private String monitorAt;
    private boolean gone;
    private boolean handedOver;
    private boolean silent;
    private Optional<Runner> runner = Optional.empty();
    private Optional<ScalingStatus> standing = Optional.empty();
    private RunnerHandover resume = RunnerHandover.FRESH;
    private Instant startedAt = Instant.EPOCH;
    private boolean draining;
    private boolean restarting;
    private OptionalLong timer = OptionalLong.empty();

    /** {@code ended}: told once the VM is handed over and nothing is under way any more. */
    RunnerHost(HostContext shared, VmObserved seen, Consumer<RunnerHost> ended) {
        this.shared = shared;
        this.seen = seen;
        this.ended = ended;
        this.monitorAt = shared.dispatchers().nearest(seen.vm());
    }

    VmId vm() {
        return seen.vm();
    }

    /** Whether the VM is this process's to scale, as far as this host was told. */
    boolean holds() {
        return !handedOver;
    }

    /**
     * The VM's object is this now, and this process's to scale; older facts change nothing. If it was handed over, its
     * next runner starts once the one that is ending has ended.
     */
    void seen(VmObserved vm) {
        handedOver = false;
        if (vm.version() < seen.version()) {
            return;
        }
        seen = vm;
        shared.meters().vms().seen(vm);
        if (runner.isPresent()) {
            tell(new RunnerEvent.VmChanged(vm));
        } else if (!restarting) {
            startIfServed();
        }
    }

    /** The VM was deleted: this host ends by itself, when its runner has. */
    void gone() {
        gone = true;
        shared.meters().vms().gone(seen.vm());
        if (runner.isPresent()) {
            tell(new RunnerEvent.VmDeleted());
        } else {
            cancelTimer();
            say(standing(WaitCause.stopped("the VM was deleted")));
        }
    }

    /** Another process is to scale the VM. */
    void handOver() {
        if (handedOver) {
            return;
        }
        handedOver = true;
        silent = true;
        shared.meters().vms().gone(seen.vm());
        shared.statuses().forget(seen.vm());
        if (runner.isPresent()) {
            tell(new RunnerEvent.HandedOver());
        } else {
            leaveQuietly();
        }
    }

    private void leaveQuietly() {
        restarting = false;
        cancelTimer();
        ended.accept(this);
    }

    /** The processes that work together are others now. */
    void peersChanged() {
        var before = monitorAt;
        monitorAt = shared.dispatchers().nearest(seen.vm());
        if (!monitorAt.equals(before)) {
            tell(new RunnerEvent.MonitorMoved());
        }
    }

    /** Ends now, without waiting for anything: the process is going down. */
    void abandon() {
        gone = true;
        runner = Optional.empty();
        cancelTimer();
        say(standing(WaitCause.stopped("its agent went down")));
    }

    /** Something happened to the VM. */
    void tell(RunnerEvent event) {
        runner.ifPresent(present -> handle(present, event));
    }

    /** All that is known of the VM and of its runner, as JSON. */
    String dump() {
        return RunnerDump.of(seen, runner, standing, logbook, now()).encode();
    }

    private void startIfServed() {
        boolean inPlaceOfAnother = restarting;
        restarting = false;
        if (gone) {
            return;
        }
        silent = false;
        if (!Runner.serves(seen)) {
            leftAlone();
            return;
        }
        startedAt = now();
        logbook.started(startedAt);
        shared.meters().lives().started(inPlaceOfAnother);
        try {
            runner = Optional.of(shared.factory().make(seen, resume));
        } catch (RuntimeException fault) {
            fault(fault);
            return;
        }
        tell(new RunnerEvent.Started());
    }

    /** A VM that nobody ever scaled here is worth a word only while it moves. */
    private void leftAlone() {
        if (seen.phase() == VmPhase.MIGRATING && seen.autoscaled()) {
            say(standing(WaitCause.moving("the VM is on its way to another node")));
        } else {
            say(standing(WaitCause.stopped(seen.autoscaled() ? "the VM is " + seen.phase() : "switched off")));
        }
    }

    /** An answer to a runner that is no more is nobody's. One that comes while others are dealt with waits its turn. */
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
        count(event);
        if (event instanceof RunnerEvent.SessionAnswered(var _, OpenReply.Opened(var session, var _, var _))) {
            resume = resume.inSession(session, target.member().pod());
        }
        for (var action : target.on(event, now())) {
            perform(target, action);
        }
        shared.meters().lives().measured(target.takeMeasures());
        if (runner.isPresent()) {
            shared.meters().runners().stage(seen.vm(), target.stage());
        }
        say(target.standing(now()));
    }

    private void count(RunnerEvent event) {
        shared.meters().runners().count(event);
        if (event instanceof RunnerEvent.UpscaleRequested) {
            shared.meters().reference().cried();
        }
    }

    /** Where the VM stands by what was last known of it. */
    private ScalingStatus standing(WaitCause cause) {
        return standing.map(last -> last.because(cause)).orElseGet(() -> ScalingStatus.unserved(seen, cause));
    }

    private void say(ScalingStatus now) {
        standing = Optional.of(now);
        if (silent) {
            return;
        }
        boolean served = now.cause().waiting() != Waiting.STOPPED;
        shared.meters().vms().goal(seen.vm(), served ? now.basis() : GoalBasis.NONE);
        shared.statuses().note(now);
    }

    private void perform(Runner target, RunnerAction action) {
        switch (action) {
            case RunnerAction.Request request -> send(target, request);
            case RunnerAction.DetachFromMonitor(var question, var at) -> detach(question, at.orElse(monitorAt));
            case RunnerAction.WakeAt(var when) -> wakeAt(target, when);
            case RunnerAction.Report(var decision) -> {
                shared.meters().runners().count(decision);
                decisions.write(decision, now());
                shared.ports().publish(decision);
            }
            case RunnerAction.Note(var noted) -> {
                shared.meters().reference().noted(noted.kind());
                shared.ports().publish(noted);
            }
            case RunnerAction.Warn(var sentence) ->
                LOG.atWarn()
                        .addKeyValue(LogKeys.VM, label())
                        .addKeyValue(LogKeys.REASON, sentence)
                        .log("A runner has trouble, and goes on.");
            case RunnerAction.Stop stop -> stopped(stop);
        }
    }

    /** The session that the VM's next runner asks for at the same place goes on; unwanted, it ends by itself. */
    private void detach(DetachMonitor question, String at) {
        if (!handedOver || !shared.dispatchers().mayServeOthers(question.vm(), at)) {
            shared.ports().detach(question, at);
        }
    }

    private void send(Runner target, RunnerAction.Request request) {
        shared.meters().runners().count(request);
        shared.meters().reference().asked(request);
        shared.ports()
                .send(request)
                .onSuccess(event -> answered(target, request, event))
                .onFailure(fault -> failed(target, fault));
    }

    /** Also an answer that cannot even be counted is a fault of the runner that asked. */
    private void answered(Runner target, RunnerAction.Request request, RunnerEvent event) {
        try {
            note(target, request, event);
        } catch (RuntimeException nonsense) {
            failed(target, nonsense);
            return;
        }
        handle(target, event);
    }

    private void note(Runner target, RunnerAction.Request request, RunnerEvent event) {
        shared.meters().reference().answered(request, event);
        if (event instanceof RunnerEvent.RequestFailed) {
            shared.meters().runners().lost(request);
        }
        if (isCurrent(target)) {
            logbook.answered(request, event, now());
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
        stop.restartAfter()
                .ifPresent(wait ->
                        shared.meters().runners().restarted(stop.reason().name()));
        follow(stop.restartAfter());
    }

    /** A fault is in this VM's data, or in the code that met it: it is said in full, and mended by a new start. */
    private void fault(Throwable fault) {
        LOG.atWarn().addKeyValue(LogKeys.VM, label()).setCause(fault).log("A runner failed and will be replaced.");
        shared.meters().runners().restarted("FAULT");
        shared.meters().lives().failed();
        runner.ifPresent(failed -> resume = resume.keeping(failed.overrides()));
        leave("it failed: " + fault);
        var lived = Duration.between(startedAt, now());
        var wait = shared.factory().restarts().afterFault(lived, shared.shell().random());
        say(standing(WaitCause.failed("the runner failed: " + fault, now().plus(wait))));
        follow(Optional.of(wait));
    }

    private void leave(String sentence) {
        runner = Optional.empty();
        logbook.ended(sentence);
        cancelTimer();
        shared.meters().runners().left(seen.vm());
    }

    /** Never at once within the same turn: whoever fails at its start must not call itself for ever. */
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
        timer = OptionalLong.of(shared.vertx().setTimer(millis, id -> {
            timer = OptionalLong.empty();
            then.run();
        }));
    }

    private void cancelTimer() {
        timer.ifPresent(shared.vertx()::cancelTimer);
        timer = OptionalLong.empty();
    }

    private Instant now() {
        return shared.shell().clock().instant();
    }

    private String label() {
        return seen.vm().label();
    }
}
