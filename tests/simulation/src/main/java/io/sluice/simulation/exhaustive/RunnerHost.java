package io.sluice.simulation.exhaustive;

import io.sluice.agent.core.metrics.MetricsReading;
import io.sluice.agent.core.runner.Runner;
import io.sluice.agent.core.runner.RunnerAction;
import io.sluice.agent.core.runner.RunnerEvent;
import io.sluice.agent.core.runner.RunnerHandover;
import io.sluice.agent.core.runner.RunnerState;
import io.sluice.agent.core.scaling.SystemMetrics;
import io.sluice.ledger.core.LedgerCommand;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.OpenSession;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.messages.monitor.MonitorState;
import io.sluice.messages.monitor.ResizeReply;
import io.sluice.messages.vm.ClaimReply;
import io.sluice.messages.vm.ClaimVm;
import io.sluice.messages.vm.PatchReply;
import io.sluice.messages.vm.PatchVm;
import io.sluice.simulation.exhaustive.Message.Request;
import io.sluice.simulation.exhaustive.digest.CanonicalDigest;
import io.sluice.simulation.exhaustive.digest.Digest;
import io.sluice.simulation.model.agent.GatewayClient;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * The real core of one VM's runner, and what its process does for it. The guest agrees at once. A scrape gets its
 * result in a step of its own.
 */
final class RunnerHost {
    private static final Instant EPOCH = Instant.ofEpochSecond(1_000_000);
    private static final double IDLE = 0.01;
    private static final double BUSY = 100;

    /** A generator without jitter. */
    private static final RandomGenerator NO_JITTER = () -> 0L;

    private final int vm;
    private final VmState.Kind kind;
    private final Optional<GatewayClient> gateway;
    private final Map<Request, Long> numbers = new EnumMap<>(Request.class);
    private final Deque<RunnerEvent> local = new ArrayDeque<>();
    private final List<Message> sent = new ArrayList<>();
    private Optional<Runner> runner = Optional.empty();
    private Optional<Long> scrape = Optional.empty();
    private Optional<VmObserved> observedVm = Optional.empty();
    private RunnerHandover resume = RunnerHandover.FRESH;
    private int life;
    private int clock;

    RunnerHost(int vm, VmState.Kind kind) {
        this.vm = vm;
        this.kind = kind;
        gateway = kind.reference()
                ? Optional.of(new GatewayClient("gw", Duration.ofHours(1), kind.agent() == VmState.Agent.REFERENCE))
                : Optional.empty();
    }

    static Instant instant(int clock) {
        return EPOCH.plusSeconds(clock);
    }

    /** Handles an input and returns the messages that it sends. */
    List<Message> on(RunnerInput input, int at) {
        clock = at;
        sent.clear();
        switch (input) {
            case RunnerInput.Started(var observed) -> start(observed);
            case RunnerInput.Observed(var observed) -> {
                observedVm = Optional.of(observed);
                send(new RunnerEvent.VmChanged(observed));
            }
            case RunnerInput.Replied(var request, var content) -> replied(request, content);
            case RunnerInput.TimedOut(var request) -> timedOut(request);
            case RunnerInput.HungUp _ -> through(it -> it.hangUp(instant(clock)));
            case RunnerInput.Scraped(var high) -> scraped(high);
            case RunnerInput.Woken _ -> {
                through(it -> it.tick(instant(clock)));
                send(new RunnerEvent.Woken());
            }
            case RunnerInput.Crashed _ -> {
                through(it -> it.hangUp(instant(clock)));
                ended();
                resume = RunnerHandover.FRESH;
            }
        }
        return List.copyOf(sent);
    }

    private void start(VmObserved observed) {
        life++;
        observedVm = Optional.of(observed);
        runner = Optional.of(new Runner(Timing.runner(kind), kind.name() + "-" + life, observed, resume, NO_JITTER));
        send(new RunnerEvent.Started());
    }

    private void ended() {
        runner = Optional.empty();
        numbers.clear();
        local.clear();
        scrape = Optional.empty();
    }

    private void replied(Request request, Object content) {
        if (gateway.isPresent() && (request == Request.SESSION || request == Request.PERMIT)) {
            through(it -> it.replied(content, instant(clock)));
            return;
        }
        long number = numbers.remove(request);
        send(
                switch (content) {
                    case OpenReply reply -> {
                        if (reply instanceof OpenReply.Opened(var session, var _, var _)) {
                            resume = new RunnerHandover(
                                    session, observedVm.orElseThrow().pod(), resume.supersededInARow());
                        }
                        yield new RunnerEvent.SessionAnswered(number, reply);
                    }
                    case PermitReply reply -> new RunnerEvent.PermitAnswered(number, reply);
                    case ClaimReply reply -> new RunnerEvent.ClaimAnswered(number, reply);
                    case PatchReply reply -> new RunnerEvent.PatchAnswered(number, reply);
                    default -> throw new IllegalArgumentException("no reply: " + content);
                });
    }

    private void timedOut(Request request) {
        if (gateway.isPresent() && (request == Request.SESSION || request == Request.PERMIT)) {
            through(it -> it.timedOut(instant(clock)));
            return;
        }
        send(new RunnerEvent.RequestFailed(numbers.remove(request), "no reply"));
    }

    private void scraped(boolean high) {
        long number = scrape.orElseThrow();
        scrape = Optional.empty();
        double load = high ? BUSY : IDLE;
        send(new RunnerEvent.Scraped(number, new MetricsReading.Read(new SystemMetrics(load, load, 0, 0))));
    }

    /** Runs work on the gateway, then takes its commands to the ledger and its replies to the agent. */
    private void through(Consumer<GatewayClient> work) {
        gateway.ifPresent(it -> {
            work.accept(it);
            it.takeCommands().forEach(command -> sent.add(new Message.ToLedger(vm, 0, command, clock, true)));
            it.takeAnswers().forEach(this::send);
        });
    }

    private void send(RunnerEvent first) {
        local.add(first);
        while (!local.isEmpty() && runner.isPresent()) {
            for (var action : runner.get().on(local.remove(), instant(clock))) {
                perform(action);
            }
        }
        local.clear();
    }

    private void perform(RunnerAction action) {
        switch (action) {
            case RunnerAction.OpenLedgerSession(var number, var request) -> open(number, request);
            case RunnerAction.RequestPermit(var number, var request) -> request(number, request);
            case RunnerAction.ClaimFence(var number, var request) -> claim(number, request);
            case RunnerAction.PatchSize(var number, var request, var _) -> patch(number, request);
            case RunnerAction.UpscaleGuest(var number, var _, var _, var _) -> agreed(number);
            case RunnerAction.DownscaleGuest(var number, var _, var _, var _) -> agreed(number);
            case RunnerAction.AttachToMonitor(var number, var request) ->
                local.add(new RunnerEvent.MonitorAttached(number, new MonitorState(request.vm(), 1, true, "", "here")));
            case RunnerAction.Scrape(var number, var _, var _) -> scrape = Optional.of(number);
            case RunnerAction.Stop stop -> {
                resume = stop.resume();
                ended();
            }
            case RunnerAction.ScrapeLfc _,
                    RunnerAction.DetachFromMonitor _,
                    RunnerAction.WakeAt _,
                    RunnerAction.Report _,
                    RunnerAction.Record _,
                    RunnerAction.Warn _ -> {}
        }
    }

    private void agreed(long number) {
        local.add(new RunnerEvent.GuestAnswered(number, new ResizeReply.Accepted("")));
    }

    private void open(long number, OpenSession request) {
        if (gateway.isPresent()) {
            local.add(GatewayClient.opened(number, observedVm.orElseThrow()));
        } else {
            numbers.put(Request.SESSION, number);
            sent.add(new Message.ToLedger(vm, life, new LedgerCommand.Open(request), clock, true));
        }
    }

    private void request(long number, PermitRequest request) {
        if (gateway.isPresent()) {
            through(it -> it.request(number, request, instant(clock)));
        } else {
            numbers.put(Request.PERMIT, number);
            sent.add(new Message.ToLedger(vm, life, new LedgerCommand.RequestPermit(request), clock, true));
        }
    }

    private void claim(long number, ClaimVm request) {
        if (gateway.isPresent()) {
            local.add(GatewayClient.claimed(number, request, observedVm.orElseThrow()));
        } else {
            numbers.put(Request.CLAIM, number);
            sent.add(new Message.ToClaim(vm, life, request, true));
        }
    }

    private void patch(long number, PatchVm request) {
        numbers.put(Request.PATCH, number);
        sent.add(new Message.ToPatch(vm, life, request, true));
    }

    int life() {
        return life;
    }

    boolean runs() {
        return runner.isPresent();
    }

    boolean awaitsScrape() {
        return scrape.isPresent();
    }

    boolean awaitsGateway() {
        return gateway.filter(GatewayClient::awaited).isPresent();
    }

    /** One bit for each kind of request whose reply it awaits. */
    int awaited() {
        int bits = switch (gateway.map(GatewayClient::awaits).orElse(GatewayClient.Awaits.NOTHING)) {
            case NOTHING -> 0;
            case SESSION -> Request.SESSION.bit();
            case PERMIT -> Request.PERMIT.bit();
        };
        for (var request : numbers.keySet()) {
            bits |= request.bit();
        }
        return bits;
    }

    long versionObserved() {
        return observedVm.map(VmObserved::version).orElse(0L);
    }

    /** The state of its runner, if that scales the VM. */
    Optional<RunnerState> scaling() {
        return runner.filter(it -> it.stage() == RunnerState.Stage.SERVING).map(Runner::state);
    }

    Digest digest() {
        return CanonicalDigest.of(
                runner.orElse(null),
                gateway.orElse(null),
                resume,
                life,
                runner.isPresent() ? 0L : versionObserved(),
                List.copyOf(numbers.keySet()),
                scrape.isPresent());
    }
}
