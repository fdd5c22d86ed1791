package io.sluice.simulation.model.agent;

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
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.messages.monitor.MonitorState;
import io.sluice.messages.monitor.ResizeReply;
import io.sluice.messages.vm.ClaimReply;
import io.sluice.messages.vm.PatchReply;
import io.sluice.messages.vm.PatchVm;
import io.sluice.simulation.engine.Seconds;
import io.sluice.simulation.engine.Timeline;
import io.sluice.simulation.model.Happening;
import io.sluice.simulation.model.ModelBus;
import io.sluice.simulation.model.ModelVmObject;
import io.sluice.simulation.model.World;
import io.sluice.units.Resources;
import java.time.Instant;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;

/** Hosts a runner for one VM: the real core, and what its verticle does for it. */
public final class SimulatedRunner {
    private static final long LEDGER_TIMEOUT = Seconds.of(1);
    static final long DRIVER_TIMEOUT = Seconds.of(12);
    private static final long GUEST_TIMEOUT = Seconds.of(6);

    private final AgentPart agent;
    private final World world;
    private final ModelVmObject vm;
    private final SimulatedLinks links;
    private final Grants grants = new Grants();
    private final ReferenceSession reference;
    private final int life;
    private VmObserved observed;
    private Optional<Runner> runner = Optional.empty();
    private RunnerHandover resume = RunnerHandover.FRESH;
    private Optional<Timeline.Timer> wake = Optional.empty();
    private boolean restarting;
    private boolean over;
    private int runners;
    private String id = "";
    private Optional<Awaited> awaited = Optional.empty();

    /** A permit request that has no reply and was not given up yet. */
    private record Awaited(long number, PermitRequest request) {}

    SimulatedRunner(AgentPart agent, ModelVmObject vm, VmObserved observed, int life) {
        this.agent = agent;
        this.world = agent.world();
        this.vm = vm;
        this.observed = observed;
        this.life = life;
        this.links = new SimulatedLinks(world, agent.name() + "." + vm.id.name() + "." + vm.id.uid());
        reference = new ReferenceSession(this, links);
        vm.runners.add(this);
    }

    /** The VM that it scales. */
    public ModelVmObject vm() {
        return vm;
    }

    /** The name of the current runner. */
    public String runnerId() {
        return id;
    }

    /** What its runners were granted, recorded independently of them. */
    public Grants grants() {
        return grants;
    }

    void observed(VmObserved observation) {
        if (observation.version() < observed.version()) {
            return;
        }
        observed = observation;
        if (runner.isPresent()) {
            grants.reached(observation.sizes().inUse());
            report(new RunnerEvent.VmChanged(observation));
        } else if (!restarting) {
            startIfServed();
        }
    }

    /** Removes the runner because the VM was deleted. */
    void gone() {
        report(new RunnerEvent.VmDeleted());
        abandon();
    }

    VmObserved observed() {
        return observed;
    }

    World world() {
        return world;
    }

    /** Records that the runner awaits the reply to that request. */
    void awaiting(long number, PermitRequest request) {
        awaited = Optional.of(new Awaited(number, request));
    }

    /** Ends the process: what it sent stays under way, and replies to it are dropped. */
    void abandon() {
        over = true;
        hangUp();
        runner = Optional.empty();
        wake.ifPresent(Timeline.Timer::cancel);
        vm.runners.remove(this);
        world.touch(vm);
    }

    /** Ends this runner alone; another one follows it. */
    public void fail() {
        if (runner.isPresent()) {
            hangUp();
            runner = Optional.empty();
            wake.ifPresent(Timeline.Timer::cancel);
            restartIn(Seconds.of(5));
        }
    }

    private void startIfServed() {
        if (over || !Runner.serves(observed)) {
            return;
        }
        runners++;
        id = agent.name() + "-" + vm.id.uid() + "-" + life + "-" + runners;
        grants.forget();
        var random = new Random(world.faults().chance(id).next());
        var config = vm.byReference ? RunnerConfigs.REFERENCE : world.runnerConfig();
        runner = Optional.of(new Runner(config, id, observed, resume, random));
        report(new RunnerEvent.Started());
    }

    private void restartIn(long nanos) {
        restarting = true;
        world.time().in(nanos, () -> {
            restarting = false;
            startIfServed();
        });
    }

    void report(RunnerEvent event) {
        runner.ifPresent(it -> on(it, event));
    }

    void on(Runner it, RunnerEvent event) {
        if (runner.isEmpty() || runner.get() != it) {
            return;
        }
        if (event
                instanceof
                RunnerEvent.SessionAnswered(var _, OpenReply.Opened(var session, var reserved, var recovered))) {
            grants.reached(recovered ? reserved.max(observed.sizes().max()) : reserved);
            resume = vm.byReference
                    ? RunnerHandover.FRESH
                    : new RunnerHandover(session, it.pod().pod(), resume.supersededInARow());
        }
        world.touch(vm);
        for (var action : it.on(event, agent.clock().now())) {
            perform(it, action);
        }
    }

    private void perform(Runner it, RunnerAction action) {
        if (vm.byReference && reference.performs(it, action)) {
            return;
        }
        switch (action) {
            case RunnerAction.OpenLedgerSession(var number, var request) ->
                ledger(
                        it,
                        number,
                        request.node(),
                        new LedgerCommand.Open(request),
                        reply -> new RunnerEvent.SessionAnswered(number, reply));
            case RunnerAction.RequestPermit(var number, var request) -> request(it, number, request);
            case RunnerAction.ClaimFence(var number, var request) ->
                world.bus()
                        .<ClaimReply>request(
                                links.toPatcher,
                                links.fromPatcher,
                                DRIVER_TIMEOUT,
                                answer -> world.scaledPods().claim(request, answer),
                                reply -> claimed(it, number, reply),
                                () -> lost(it, number));
            case RunnerAction.PatchSize(var number, var request, var _) -> patch(it, number, request);
            case RunnerAction.UpscaleGuest(var number, var request, var _, var _) ->
                guest(it, number, answer -> answer.accept(world.guests().reported(vm, request)));
            case RunnerAction.DownscaleGuest(var number, var request, var _, var _) ->
                guest(it, number, answer -> world.scaledPods().downscale(vm, request, answer));
            case RunnerAction.AttachToMonitor(var number, var _) ->
                world.bus()
                        .<MonitorState>request(
                                links.toMonitor,
                                links.fromMonitor,
                                LEDGER_TIMEOUT,
                                answer -> answer.accept(world.guests().state(vm)),
                                state -> on(it, new RunnerEvent.MonitorAttached(number, state)),
                                () -> lost(it, number));
            case RunnerAction.DetachFromMonitor _ -> {}
            case RunnerAction.Scrape(var number, var _, var _) -> scrape(it, number);
            case RunnerAction.ScrapeLfc(var number, var _, var _) ->
                world.time().in(Seconds.of(1), () -> lost(it, number));
            case RunnerAction.WakeAt(var when) -> wakeAt(it, when);
            case RunnerAction.Report(var decision) -> {
                if (world.journal().listens()) {
                    world.report(this + " decides " + decision.kind());
                }
            }
            case RunnerAction.Record _, RunnerAction.Warn _ -> {}
            case RunnerAction.Stop(var reason, var _, var restartAfter, var left) -> {
                runner = Optional.empty();
                wake.ifPresent(Timeline.Timer::cancel);
                resume = left;
                if (world.journal().listens()) {
                    world.report(this + " stops: " + reason);
                }
                restartAfter.ifPresentOrElse(wait -> restartIn(Seconds.of(wait)), () -> restartIn(1));
            }
        }
    }

    void hangUp() {
        if (vm.byReference && awaited.isPresent()) {
            var pod = awaited.get().request().pod();
            awaited = Optional.empty();
            world.gateway().hangUp(pod);
        }
    }

    private void claimed(Runner it, long number, ClaimReply reply) {
        if (reply instanceof ClaimReply.Claimed claimed) {
            grants.reached(claimed.sizes().inUse());
        }
        on(it, new RunnerEvent.ClaimAnswered(number, reply));
    }

    void ended(long number) {
        awaited = awaited.filter(request -> request.number() != number);
    }

    /** Whether a reply to that request is still awaited: one that was given up permits nothing any more. */
    public boolean awaits(PermitRequest permitRequest) {
        return awaited.filter(request -> request.request().equals(permitRequest))
                .isPresent();
    }

    /** Whether that request of the gateway was sent for this agent, and the agent awaits the reply. */
    public boolean awaitsOfGateway(PermitRequest request) {
        return vm.byReference
                && awaited.map(Awaited::request)
                        .filter(mine -> mine.pod().equals(request.pod())
                                && mine.target().equals(request.target()))
                        .isPresent();
    }

    void lost(Runner it, long number) {
        ended(number);
        on(it, new RunnerEvent.RequestFailed(number, "no reply"));
    }

    private <A> void ledger(
            Runner it, long number, String node, LedgerCommand<A> command, Function<A, RunnerEvent> as) {
        world.bus()
                .<A>request(
                        links.toLedger,
                        links.fromLedger,
                        LEDGER_TIMEOUT,
                        answer -> world.ledger().serve(node, command, answer),
                        reply -> on(it, as.apply(reply)),
                        () -> lost(it, number));
    }

    private void request(Runner it, long number, PermitRequest request) {
        long requestedAt = world.time().now();
        grants.requested(request.target());
        awaiting(number, request);
        world.happened(new Happening.Requested(this, request));
        ledger(it, number, request.node(), new LedgerCommand.RequestPermit(request), reply -> {
            if (reply instanceof PermitReply.Ruled ruled
                    && runner.filter(now -> now == it).isPresent()) {
                grants.granted(ruled.permit(), ruled.validFor(), requestedAt, request.seq());
            }
            ended(number);
            return new RunnerEvent.PermitAnswered(number, reply);
        });
    }

    private void patch(Runner it, long number, PatchVm patch) {
        var flight = new Flight(this, vm, patch, world.time().now());
        flight.begun();
        world.happened(new Happening.PatchBegun(this, flight));
        grants.reached(patch.target());
        world.bus()
                .<PatchReply>request(
                        links.toPatcher,
                        links.fromPatcher,
                        DRIVER_TIMEOUT,
                        answer -> {
                            if (flight.taken()) {
                                world.scaledPods().patch(flight, answer);
                            }
                        },
                        reply -> on(it, new RunnerEvent.PatchAnswered(number, reply)),
                        () -> lost(it, number));
        if (links.toPatcher.lost()) {
            flight.ended();
        }
    }

    private void guest(Runner it, long number, ModelBus.Server<ResizeReply> server) {
        world.bus()
                .<ResizeReply>request(
                        links.toMonitor,
                        links.fromMonitor,
                        GUEST_TIMEOUT,
                        server,
                        reply -> on(it, new RunnerEvent.GuestAnswered(number, reply)),
                        () -> lost(it, number));
    }

    private void scrape(Runner it, long number) {
        links.toGuest.draw();
        if (links.toGuest.lost()) {
            world.time().in(Seconds.of(2), () -> lost(it, number));
        } else {
            world.time().in(links.toGuest.first(world.time().now()), () -> {
                var metrics = new SystemMetrics(vm.load1, vm.load1, vm.memoryUsed, 0);
                on(it, new RunnerEvent.Scraped(number, new MetricsReading.Read(metrics)));
            });
        }
    }

    private void wakeAt(Runner it, Instant when) {
        wake.ifPresent(Timeline.Timer::cancel);
        wake = Optional.of(world.time().in(agent.clock().until(when), () -> on(it, new RunnerEvent.Woken())));
    }

    /** Its runner, if there is one. */
    public Optional<Runner> runner() {
        return runner;
    }

    /** The state of its runner, if the runner can still patch the VM where it runs. */
    public Optional<RunnerState> acting() {
        if (runner.isEmpty() || runner.get().stage() != RunnerState.Stage.SERVING) {
            return Optional.empty();
        }
        return runner.filter(it -> it.pod().podName().equals(vm.podName())).map(Runner::state);
    }

    /** Whether a patch of its runner would be applied now. */
    public boolean mayPatch() {
        return acting().filter(state -> vm.byReference || state.fence().equals(vm.fence))
                .isPresent();
    }

    /**
     * The size that its runner may still patch the VM to by a permit; none if it may not. An agent of the reference
     * patches to no more than it is requesting.
     */
    public Resources mayPatchTo() {
        var core = acting().filter(state -> mayPatch()).flatMap(RunnerState::core);
        return core.flatMap(state -> state.effectivePermit(now()))
                .map(permit -> core.get().requested().map(permit::min).orElse(permit))
                .orElse(Resources.NONE);
    }

    /** The time by the clock of its process. */
    public Instant now() {
        return agent.clock().now();
    }

    public boolean restarting() {
        return restarting;
    }

    @Override
    public String toString() {
        return id.isEmpty() ? agent.name() + "." + vm : id;
    }
}
