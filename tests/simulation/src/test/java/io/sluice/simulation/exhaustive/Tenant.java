package io.sluice.simulation.exhaustive;

import io.sluice.agent.core.metrics.MetricsReading;
import io.sluice.agent.core.runner.Runner;
import io.sluice.agent.core.runner.RunnerAction;
import io.sluice.agent.core.runner.RunnerEvent;
import io.sluice.agent.core.runner.RunnerHandover;
import io.sluice.agent.core.scaling.SystemMetrics;
import io.sluice.ledger.core.LedgerCommand;
import io.sluice.messages.ledger.permit.OpenSession;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.messages.monitor.MonitorState;
import io.sluice.messages.monitor.ResizeReply;
import io.sluice.messages.monitor.UpscaleRequest;
import io.sluice.messages.vm.PatchReply;
import io.sluice.messages.vm.PatchVm;
import io.sluice.simulation.model.agent.GatewayClient;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** One VM on a full node: its guest, the real core of its runner, and its agent's connection to the gateway. */
final class Tenant {
    private static final int MOST_UNITS = 24;
    private static final int NEIGHBOUR_UNITS = 4;
    private static final int SWELL = 30;
    private static final int FLOOD = 1_000;
    private static final double GIB = 1L << 30;

    /** The maximum of the first VM. */
    static final Resources MOST = VmState.UNIT.times(MOST_UNITS);

    private static final Resources ENDLESS = new Resources(Long.MAX_VALUE, Long.MAX_VALUE);
    private static final List<Resources> ABSURD = List.of(
            ENDLESS,
            VmState.UNIT.times(1_000_000),
            new Resources(Long.MAX_VALUE, MOST.memoryBytes()),
            MOST.plus(VmState.UNIT));

    /** The behavior of the guest and its agent. */
    enum Conduct {
        /** The load rises and falls. */
        NEIGHBOUR,
        /** An honest guest: its memory in use needs the maximum. */
        AT_MAXIMUM,
        /** The metrics show more load with each turn. */
        ENDLESS_LOAD,
        /** The guest is idle, and requests more memory at every turn. */
        UPSCALE_REQUESTS,
        /** The guest is idle, and denies each downscale. */
        DENIED_DOWNSCALES,
        /** The agent sends as many requests as it can. */
        FLOOD,
        /** The agent requests more than any node has. */
        ABSURD_REQUESTS
    }

    private final FullNode node;
    private final int place;
    private final Conduct conduct;
    private final GatewayClient gateway;
    private final Deque<RunnerEvent> events = new ArrayDeque<>();
    private VmState vm;
    private Optional<Runner> runner = Optional.empty();
    private RunnerHandover resume = RunnerHandover.FRESH;
    private Instant wake = Instant.MAX;
    private int lives;
    private int shortSince;

    Tenant(FullNode node, int place, VmState.Agent agent, Conduct conduct) {
        this.node = node;
        this.place = place;
        this.conduct = conduct;
        boolean neighbour = conduct == Conduct.NEIGHBOUR;
        int size = neighbour ? 1 : MOST_UNITS;
        var kind = new VmState.Kind("v%02d".formatted(place), agent, neighbour ? NEIGHBOUR_UNITS : MOST_UNITS);
        vm = VmState.of(kind, "n1", size, size);
        gateway = new GatewayClient("gateway", Duration.ofHours(1), true);
    }

    VmState vm() {
        return vm;
    }

    void turn() {
        if (runner.isEmpty()) {
            wake = Instant.MAX;
            runner = Optional.of(new Runner(
                    Timing.runner(vm.kind()), vm.kind().name() + "-" + ++lives, vm.observed(), resume, () -> 0L));
            on(new RunnerEvent.Started());
        }
        switch (conduct) {
            case UPSCALE_REQUESTS -> on(new RunnerEvent.UpscaleRequested(new UpscaleRequest(vm.id(), 1, "here")));
            case FLOOD -> {
                for (int copy = 0; copy < FLOOD; copy++) {
                    request(MOST);
                }
            }
            case ABSURD_REQUESTS -> request(ABSURD.get(node.turnOfNow() % ABSURD.size()));
            case NEIGHBOUR, AT_MAXIMUM, ENDLESS_LOAD, DENIED_DOWNSCALES -> {}
        }
        if (vm.kind().reference()) {
            gateway.tick(node.now());
            exchange();
        }
        if (!node.now().isBefore(wake)) {
            on(new RunnerEvent.Woken());
        }
        if (conduct == Conduct.NEIGHBOUR) {
            react();
        }
    }

    /** The demand in compute units; half of the time that of all VMs exceeds the node. */
    private int demand() {
        int turn = node.turnOfNow();
        int low = 1 + (turn / SWELL + place) % 2;
        return turn / SWELL % 2 == 0 ? low : low + 2;
    }

    private void react() {
        boolean isShort = VmState.UNIT.times(demand()).exceeds(vm.status());
        if (isShort && shortSince == 0) {
            shortSince = node.turnOfNow();
        } else if (!isShort && shortSince > 0) {
            node.reacted(vm.kind().name(), shortSince);
            shortSince = 0;
        }
    }

    private SystemMetrics metrics() {
        int turn = node.turnOfNow();
        return switch (conduct) {
            case NEIGHBOUR -> used((demand() - 0.5) * 0.9 / 4, 0);
            case AT_MAXIMUM, FLOOD, ABSURD_REQUESTS -> used(0, (MOST_UNITS - 0.5) * 0.75 * GIB);
            case ENDLESS_LOAD -> used(Math.pow(10, turn), Math.pow(10, turn + 9.0));
            case UPSCALE_REQUESTS, DENIED_DOWNSCALES -> used(0, 0);
        };
    }

    private static SystemMetrics used(double load, double memory) {
        return new SystemMetrics(load, load, memory, 0);
    }

    /** Sends a request that the runner did not make; its reply is dropped. */
    private void request(Resources target) {
        if (!node.turnsAway(vm.pod())) {
            gateway.request(
                    -1,
                    new PermitRequest(
                            vm.node(),
                            vm.pod(),
                            "x",
                            1,
                            1,
                            VmState.UNIT,
                            target,
                            Optional.of(ENDLESS),
                            Optional.of(0f)),
                    node.now());
            exchange();
        }
    }

    private void on(RunnerEvent first) {
        events.add(first);
        while (!events.isEmpty() && runner.isPresent()) {
            runner.get().on(events.remove(), node.now()).forEach(this::perform);
        }
        events.clear();
    }

    private void perform(RunnerAction action) {
        switch (action) {
            case RunnerAction.OpenLedgerSession(var number, var request) -> open(number, request);
            case RunnerAction.RequestPermit(var number, var request) -> request(number, request);
            case RunnerAction.ClaimFence(var number, var request) -> {
                if (vm.kind().reference()) {
                    events.add(GatewayClient.claimed(number, request, vm.observed()));
                } else {
                    become(vm.claimed(request.runner()));
                    events.add(new RunnerEvent.ClaimAnswered(number, vm.claim()));
                }
            }
            case RunnerAction.PatchSize(var number, var request, var _) -> patch(number, request);
            case RunnerAction.UpscaleGuest(var number, var _, var _, var _) ->
                events.add(new RunnerEvent.GuestAnswered(number, new ResizeReply.Accepted("")));
            case RunnerAction.DownscaleGuest(var number, var _, var _, var _) ->
                events.add(new RunnerEvent.GuestAnswered(
                        number,
                        conduct == Conduct.DENIED_DOWNSCALES
                                ? new ResizeReply.Denied("no")
                                : new ResizeReply.Accepted("")));
            case RunnerAction.AttachToMonitor(var number, var request) ->
                events.add(
                        new RunnerEvent.MonitorAttached(number, new MonitorState(request.vm(), 1, true, "", "here")));
            case RunnerAction.Scrape(var number, var _, var _) ->
                events.add(new RunnerEvent.Scraped(number, new MetricsReading.Read(metrics())));
            case RunnerAction.WakeAt(var when) -> wake = when;
            case RunnerAction.Stop stop -> {
                resume = stop.resume();
                runner = Optional.empty();
            }
            case RunnerAction.ScrapeLfc _,
                    RunnerAction.DetachFromMonitor _,
                    RunnerAction.Report _,
                    RunnerAction.Record _,
                    RunnerAction.Warn _ -> {}
        }
    }

    private void open(long number, OpenSession request) {
        events.add(
                vm.kind().reference()
                        ? GatewayClient.opened(number, vm.observed())
                        : new RunnerEvent.SessionAnswered(
                                number, node.run(request.node(), new LedgerCommand.Open(request))));
    }

    private void request(long number, PermitRequest request) {
        if (!vm.kind().reference()) {
            events.add(new RunnerEvent.PermitAnswered(
                    number, node.run(request.node(), new LedgerCommand.RequestPermit(request))));
        } else if (node.turnsAway(request.pod())) {
            events.add(new RunnerEvent.RequestFailed(number, "429"));
            if (conduct == Conduct.NEIGHBOUR) {
                node.refused(request.pod());
            }
        } else {
            gateway.request(number, request, node.now());
            exchange();
        }
    }

    /** Delivers the gateway's commands to the ledger, and the replies to the agent. */
    private void exchange() {
        for (var commands = gateway.takeCommands(); !commands.isEmpty(); commands = gateway.takeCommands()) {
            commands.forEach(command -> gateway.replied(node.run(vm.node(), command), node.now()));
        }
        events.addAll(gateway.takeAnswers());
    }

    private void patch(long number, PatchVm request) {
        if (vm.lets(request)) {
            become(vm.patched(request).driven().driven());
            events.add(new RunnerEvent.PatchAnswered(number, new PatchReply.Patched(vm.version())));
        } else {
            events.add(new RunnerEvent.PatchAnswered(number, vm.refusal(request)));
        }
    }

    /** Replaces the VM's object. */
    void become(VmState next) {
        vm = next;
        node.observed(vm);
        events.add(new RunnerEvent.VmChanged(vm.observed()));
    }
}
