package io.sluice.simulation.model;

import io.sluice.agent.core.runner.RunnerConfig;
import io.sluice.ledger.core.state.Contact;
import io.sluice.ledger.core.state.NodeState;
import io.sluice.ledger.core.state.Reservation;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.pressure.core.choice.Policy;
import io.sluice.simulation.HistoryShape;
import io.sluice.simulation.engine.Chance;
import io.sluice.simulation.engine.Clock;
import io.sluice.simulation.engine.Faults;
import io.sluice.simulation.engine.Journal;
import io.sluice.simulation.engine.Seconds;
import io.sluice.simulation.engine.Tally;
import io.sluice.simulation.engine.Timeline;
import io.sluice.simulation.model.agent.AgentPart;
import io.sluice.simulation.model.agent.Flight;
import io.sluice.simulation.model.agent.GatewayPart;
import io.sluice.simulation.model.agent.Guests;
import io.sluice.simulation.model.agent.ModelReferenceAgents;
import io.sluice.simulation.model.agent.RunnerConfigs;
import io.sluice.simulation.model.placement.ModelPod;
import io.sluice.simulation.model.placement.PlacementPart;
import io.sluice.simulation.model.pods.ScaledPodsPart;
import io.sluice.units.Resources;
import io.sluice.units.VmId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All parts of one history, and the effects of its last event. */
public final class World {
    private static final Resources MIN = new Resources(250, 1L << 30);
    private static final long FORGOTTEN = Seconds.of(75);

    private final Timeline time = new Timeline();
    private final Tally tally = new Tally();
    private final List<Happening> happenings = new ArrayList<>();
    private final List<ModelVmObject> touched = new ArrayList<>();
    private final List<AgentPart> agents = new ArrayList<>();
    private final Map<VmId, ModelVmObject> everyVm = new HashMap<>();
    private final Faults faults;
    private final Journal journal;
    private final Chance chance;
    private final ModelBus bus;
    private final ApiServer api;
    private final Controller controller;
    private final Movers movers;
    private final Guests guests;
    private final LedgerPart ledger;
    private final PatcherPart patcher;
    private final PressurePart pressure;
    private final ClusterPart cluster;
    private final GatewayPart gateway;
    private final ModelReferenceAgents references;
    private final PlacementPart placement;
    private final ScaledPodsPart scaledPods;
    private final RunnerConfig runnerConfig;

    /** A world of that shape before its first event. */
    public World(HistoryShape shape, Faults faults, Journal journal) {
        this.faults = faults;
        this.journal = journal;
        chance = faults.chance("world");
        faults.intensity(upTo(shape.lossPercent()), upTo(shape.twicePercent()), upTo(shape.slowPercent()));
        runnerConfig = RunnerConfigs.of(shape);
        bus = new ModelBus(this);
        api = new ApiServer(this);
        controller = new Controller(this);
        movers = new Movers(this);
        guests = new Guests(this);
        ledger = new LedgerPart(this, 0.7 + 0.05 * chance.below(6));
        patcher = new PatcherPart(this);
        agents.add(new AgentPart(this, "agent-a"));
        agents.add(new AgentPart(this, "agent-b"));
        // No part here reports the use of VMs, so Policy.LOWEST_USE would decide as OLDEST.
        var policies = List.of(Policy.LOWEST_LOAD, Policy.OLDEST, Policy.BEST_FIT);
        pressure = new PressurePart(this, policies.get(chance.below(policies.size())));
        cluster = new ClusterPart(this);
        gateway = new GatewayPart(this, shape.gatewayPauseMillis());
        references = new ModelReferenceAgents(faults, shape.gatewayPauseMillis() > 0);
        populate(shape);
        placement = new PlacementPart(this, shape.pods(), shape.gangs());
        scaledPods = new ScaledPodsPart(this, shape.scaledPods(), shape.faultMillis());
        scaledPods.begin();
        new FaultPlan(this, shape.faultMillis());
        agents.getFirst().share(id -> true);
        pressure.begin();
        cluster.begin();
    }

    /** The rate for this history, drawn in thousandths; zero at times. */
    private int upTo(int percent) {
        return chance.oneIn(4) ? 0 : chance.below(percent * 10 + 1);
    }

    private void populate(HistoryShape shape) {
        for (int i = 1; i <= shape.nodes(); i++) {
            long cpus = 5 + chance.below(6);
            api.write(new NodeObject("n" + i, new Resources(cpus * 1_000, (cpus * 4) << 30)));
        }
        for (int i = 1; i <= shape.vms(); i++) {
            var node = "n" + (i <= shape.vms() - 1 ? 1 : 2);
            place(vm("vm-" + i), node);
        }
    }

    private ModelVmObject vm(String name) {
        var id = new VmId("neonvm", ModelVmObject.NAMESPACE, name, name + "-" + api.fresh());
        var overcommit = chance.oneIn(5) ? new Overcommit(2_000, 1_000) : Overcommit.OFF;
        long most = 8 + chance.below(9);
        var vm = new ModelVmObject(
                id, MIN, MIN.times(most), MIN.times(1 + chance.below(4)), overcommit, chance.oneIn(2));
        vm.status = vm.plugged(vm.spec);
        references.draw(vm);
        everyVm.put(id, vm);
        guests.load(vm);
        return vm;
    }

    private void place(ModelVmObject vm, String node) {
        var pod = new PodObject(vm.id.name() + "-" + api.fresh(), node, Optional.of(vm), vm.inUse(), "", seconds());
        vm.pod = Optional.of(pod);
        vm.phase = VmPhase.RUNNING;
        api.write(pod);
        api.write(vm);
        controller.look(vm);
    }

    /** Ends the VM's pod; another one is created a little later. */
    void remake(ModelVmObject vm, Chance own) {
        var old = vm.pod.orElseThrow();
        vm.lives++;
        vm.working = Resources.NONE;
        vm.pod = Optional.empty();
        vm.phase = VmPhase.PENDING;
        vm.status = vm.plugged(vm.spec);
        api.write(vm);
        time.in(own.below(Seconds.of(2)), () -> {
            api.delete(old);
            time.in(own.below(Seconds.of(3)), () -> {
                var nodes = api.nodes();
                if (vm.there && vm.pod.isEmpty() && !nodes.isEmpty()) {
                    vm.status = vm.plugged(vm.spec);
                    vm.current = Optional.of(vm.target);
                    place(vm, nodes.get(own.below(nodes.size())).name);
                }
            });
        });
    }

    /** Deletes the VM; later another one gets its name. */
    void replace(ModelVmObject vm, Chance own) {
        api.delete(vm);
        vm.pod.ifPresent(pod -> time.in(own.below(Seconds.of(3)), () -> api.delete(pod)));
        time.in(Seconds.of(3) + own.below(Seconds.of(5)), () -> {
            var nodes = api.nodes();
            if (!nodes.isEmpty() && api.vm(vm.id.name()).isEmpty()) {
                place(vm(vm.id.name()), nodes.get(own.below(nodes.size())).name);
            }
        });
    }

    /** A placed pod was bound. */
    public void arrives(ModelPod pod) {
        api.write(PodObject.bound(pod, seconds()));
    }

    /** A placed pod that was bound has ended. */
    public void ends(ModelPod pod) {
        api.pods().stream().filter(it -> it.uid.equals(pod.uid())).findFirst().ifPresent(api::delete);
    }

    public List<String> nodeNames() {
        return api.nodes().stream().map(node -> node.name).toList();
    }

    /** A pod that is resized in place begins to run. */
    public void began(ModelVmObject vm, String node) {
        vm.pod = Optional.of(new PodObject(vm.id.name(), node, Optional.of(vm), vm.inUse(), "", seconds()));
        everyVm.put(vm.id, vm);
        guests.load(vm);
        api.write(vm);
    }

    /** A number that was never returned before. */
    public long fresh() {
        return api.fresh();
    }

    /** Runs the next event, unless it is due after {@code end}. */
    public boolean step(long end) {
        for (var vm : touched) {
            vm.touched = false;
        }
        touched.clear();
        happenings.clear();
        return time.step(end);
    }

    /** Ends all faults; no more migrations begin. */
    public void quiet() {
        faults.cease();
        report("QUIET");
        agents.getLast().share(id -> false);
        pressure.paused();
        time.in(1, ledger::quiet);
    }

    public void happened(Happening happening) {
        happenings.add(happening);
        if (happening instanceof Happening.Commanded(var _, var before, var _, var _, var after) && before != after) {
            touchReserved(before, after);
            touchReserved(after, before);
        } else if (happening instanceof Happening.PatchApplied) {
            tally.patched();
        } else if (happening instanceof Happening.PatchBegun(var runner, var _)) {
            touch(runner.vm());
        }
    }

    private void touchReserved(NodeState one, NodeState other) {
        for (var reservation : one.reservations()) {
            if (!reservation.pod().vmName().isEmpty()) {
                var now = other.reservations().find(reservation.id());
                if (now.isEmpty() || now.get().amounts() != reservation.amounts()) {
                    api.vm(reservation.pod().vmName()).ifPresent(this::reservedAnew);
                }
            }
        }
    }

    private void reservedAnew(ModelVmObject vm) {
        touch(vm);
        boolean shown = ledger.reservation(vm)
                .filter(it -> it.session().observedSinceGrowth(it.observations()))
                .isPresent();
        if (shown) {
            vm.flights.forEach(Flight::shown);
        }
    }

    /**
     * The reservation of the VM on the node where it runs; on the source while the target of its migration was not
     * observed yet. Unknown where no room was held for the target, and a full list that shows the source's end overtook
     * the observation of the target.
     */
    public ReservedTotals reserved(ModelVmObject vm) {
        var pod = vm.pod.orElseThrow();
        if (!ledger.of(pod.node).fullList().complete() || ledger.missedOf(pod.uid)) {
            return new ReservedTotals.Unknown();
        }
        var own = ledger.reservation(pod.node, pod.uid);
        if (own.isPresent()) {
            return new ReservedTotals.At(own.get().amounts().reserved());
        }
        if (!pod.byMigration) {
            return ledger.reportedOf(pod.uid) ? new ReservedTotals.Nowhere() : new ReservedTotals.Unknown();
        }
        boolean reportedOfEither = ledger.reportedOf(pod.uid)
                || vm.cameFrom.filter(ledger::reportedOf).isPresent();
        boolean overtaken = vm.unheldFrom.filter(cluster.loading()::isAhead).isPresent();
        if (ledger.anyLost() || !reportedOfEither || overtaken && !ledger.reportedOf(pod.uid)) {
            return new ReservedTotals.Unknown();
        }
        return ledger.mostReservedFor(vm.id.name())
                .<ReservedTotals>map(ReservedTotals.At::new)
                .orElseGet(ReservedTotals.Nowhere::new);
    }

    /** Records the use of a VM that is above its maximum: its agent may be permitted as much. */
    void exceeded(ModelVmObject vm) {
        if (vm.inUse().exceeds(vm.max)) {
            vm.formerly = vm.formerly.max(vm.inUse());
            vm.formerlyUntil = time.now() + FORGOTTEN;
        }
    }

    /** Records what a VM may be granted now, before that is lowered. */
    void lowered(ModelVmObject vm) {
        vm.formerly = counts(vm) ? vm.formerly.max(vm.max) : vm.max;
        vm.formerlyUntil = time.now() + FORGOTTEN;
    }

    /**
     * What permits of lost ledger state may have allowed a VM whose bounds were lowered since. A full list shows only
     * what the VM may have now. An agent of the reference continues to use such a permit after it has lapsed and its VM
     * was reclaimed.
     */
    public Resources lostFromView(ModelVmObject vm) {
        var contact =
                ledger.reservation(vm).map(reservation -> reservation.status().contact());
        if (vm.byReference && contact.equals(Optional.of(Contact.RECLAIMED))) {
            return vm.max.max(vm.formerly);
        }
        boolean lost = ledger.lostSince(vm.node(), vm.formerlyUntil - 2 * FORGOTTEN);
        return lost && counts(vm) ? vm.formerly : Resources.NONE;
    }

    /** An agent of the reference observes no lapse, so what its VM might be granted once counts for good. */
    private boolean counts(ModelVmObject vm) {
        return vm.byReference || time.now() < vm.formerlyUntil || vm.inUse().exceeds(vm.max);
    }

    /**
     * Stops counting the size that another client set once a runner's own size, which is reserved, has replaced it. As
     * long as the ledger has neither observed the VM since nor replied to its agent, a reclaim that read the VM before
     * may still lower the reservation.
     */
    public void settleImposed(ModelVmObject vm, Resources reserved) {
        if (!vm.imposed.equals(Resources.NONE)
                && !vm.reportedByOthers
                && vm.isAsReported()
                && !vm.spec.exceeds(reserved)
                && ledger.reservation(vm)
                        .filter(it -> isAnswered(it) || isShown(vm, it))
                        .isPresent()) {
            vm.imposed = Resources.NONE;
        }
    }

    private static boolean isAnswered(Reservation reservation) {
        var contact = reservation.status().contact();
        return contact == Contact.REQUESTED || contact == Contact.EXPOSED;
    }

    private static boolean isShown(ModelVmObject vm, Reservation reservation) {
        return reservation
                .observations()
                .vm()
                .filter(it -> it.version() >= vm.grownAt())
                .isPresent();
    }

    /**
     * Whether the first migration of that attempt is under way.
     *
     * @param ours whether migrations that pressure arranged count, too
     */
    public boolean goesOn(String attempt, boolean ours) {
        return !api.isOver(attempt)
                && api.moves().stream()
                        .anyMatch(move -> move.attempt.equals(attempt) && move.live() && (ours || !move.ours));
    }

    public void touch(ModelVmObject vm) {
        if (!vm.touched) {
            vm.touched = true;
            touched.add(vm);
        }
    }

    public void report(String line) {
        journal.report(time, line);
    }

    static String text(Resources amount) {
        return amount.milliCpu() + "m/" + (amount.memoryBytes() >> 30) + "Gi";
    }

    String words(Object value) {
        return Words.of(value);
    }

    public Clock clock(String part) {
        return new Clock(time, faults, part);
    }

    long seconds() {
        return Seconds.instant(time.now()).getEpochSecond();
    }

    public ModelVmObject everyVm(VmId id) {
        return everyVm.get(id);
    }

    /** Virtual time. */
    public Timeline time() {
        return time;
    }

    /** The faults of this history. */
    public Faults faults() {
        return faults;
    }

    /** The journal of faults and events, to be printed. */
    public Journal journal() {
        return journal;
    }

    /** The counts of this history. */
    public Tally tally() {
        return tally;
    }

    /** The effects of the last event. */
    public List<Happening> happenings() {
        return happenings;
    }

    /** The VMs that the last event may have changed. */
    public List<ModelVmObject> touched() {
        return touched;
    }

    /** All current VMs. */
    public List<ModelVmObject> vms() {
        return api.vms();
    }

    /** The ledger. */
    public LedgerPart ledger() {
        return ledger;
    }

    /** The VM that runs in the pod of that uid. */
    public Optional<ModelVmObject> runningIn(String pod) {
        for (var vm : api.vms()) {
            if (vm.runs() && vm.pod.get().uid.equals(pod)) {
                return Optional.of(vm);
            }
        }
        return Optional.empty();
    }

    /** The part that places pods. */
    public PlacementPart placement() {
        return placement;
    }

    /** The part that migrates VMs. */
    public PressurePart pressure() {
        return pressure;
    }

    public List<AgentPart> agents() {
        return agents;
    }

    public ApiServer api() {
        return api;
    }

    public ModelBus bus() {
        return bus;
    }

    public ScaledPodsPart scaledPods() {
        return scaledPods;
    }

    Controller controller() {
        return controller;
    }

    Movers movers() {
        return movers;
    }

    public Guests guests() {
        return guests;
    }

    public PatcherPart patcher() {
        return patcher;
    }

    public ClusterPart cluster() {
        return cluster;
    }

    public GatewayPart gateway() {
        return gateway;
    }

    public RunnerConfig runnerConfig() {
        return runnerConfig;
    }

    /**
     * Whether the ledger has observed the current use of that VM. For a VM of an agent of the reference, the ledger has
     * no source but observations and the agent's reports.
     */
    public boolean isShown(ModelVmObject vm) {
        return !vm.byReference
                || ledger.reservation(vm).filter(it -> isShown(vm, it)).isPresent();
    }
}
