package io.sluice.simulation.model;

import io.sluice.agent.core.runner.RunnerConfig;
import io.sluice.ledger.core.Contact;
import io.sluice.ledger.core.NodeState;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.pressure.core.choice.Policy;
import io.sluice.simulation.HistoryShape;
import io.sluice.simulation.engine.Chance;
import io.sluice.simulation.engine.Faults;
import io.sluice.simulation.engine.Journal;
import io.sluice.simulation.engine.Seconds;
import io.sluice.simulation.engine.Timeline;
import io.sluice.units.Resources;
import io.sluice.units.VmId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Everything there is in one history, and what the event that has just been did to it. */
public final class World {
    private static final Resources MIN = new Resources(250, 1L << 30);
    private static final long FORGOTTEN = Seconds.of(75);
    private static final long LOAD_CHANGES = Seconds.of(25);

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
    private final RunnerConfig runnerConfig;

    /** A world of that shape, in which nothing has happened yet. */
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
        var policies = Policy.values();
        pressure = new PressurePart(this, policies[chance.below(policies.length)]);
        cluster = new ClusterPart(this);
        gateway = new GatewayPart(this);
        references = new ModelReferenceAgents(faults);
        populate(shape);
        new Mischief(this, shape.mischiefMillis());
        agents.getFirst().share(id -> true);
        pressure.begin();
        cluster.begin();
    }

    /** Drawn for this history: in thousandths, and none at all now and then. */
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
        load(vm, faults.chance("load of " + id.uid()));
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

    private void load(ModelVmObject vm, Chance own) {
        vm.load1 = own.share() * 3.2;
        vm.memoryUsed = (0.3 + own.share() * 8) * ModelVmObject.SLOT;
        time.in(Seconds.of(3) + own.below(LOAD_CHANGES), () -> {
            if (!faults.ceased() && vm.there) {
                load(vm, own);
            }
        });
    }

    /** The VM's pod dies; another is made for it a little later. */
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

    /** The VM is deleted; later another one gets its name. */
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

    /** Lets the next event happen, unless it is due after {@code end}. */
    public boolean step(long end) {
        for (var vm : touched) {
            vm.touched = false;
        }
        touched.clear();
        happenings.clear();
        return time.step(end);
    }

    /** Faults end here, and no more migrations are begun. */
    public void quiet() {
        faults.cease();
        say("QUIET");
        agents.getLast().share(id -> false);
        pressure.paused();
        time.in(1, ledger::quiet);
    }

    void happened(Happening happening) {
        happenings.add(happening);
        if (happening instanceof Happening.Commanded(var _, var before, var _, var _, var after) && before != after) {
            touchBooked(before, after);
            touchBooked(after, before);
        } else if (happening instanceof Happening.PatchApplied) {
            tally.patched();
        } else if (happening instanceof Happening.PatchBegun(var seat, var _)) {
            touch(seat.vm());
        }
    }

    private void touchBooked(NodeState one, NodeState other) {
        for (var member : one.members()) {
            if (!member.who().vmName().isEmpty()) {
                var now = other.members().find(member.id());
                if (now.isEmpty() || now.get().amounts() != member.amounts()) {
                    api.vm(member.who().vmName()).ifPresent(this::touch);
                }
            }
        }
    }

    /** At what it counts where it runs; where nobody told the ledger of a migration's target yet, where it was. */
    public ReservedTotals booked(ModelVmObject vm) {
        var pod = vm.pod.orElseThrow();
        if (!ledger.of(pod.node).listing().complete() || ledger.missedOf(pod.uid)) {
            return new ReservedTotals.Unknown();
        }
        var own = ledger.member(pod.node, pod.uid);
        if (own.isPresent()) {
            return new ReservedTotals.At(own.get().amounts().reserved());
        }
        if (!pod.byMigration) {
            return ledger.toldOf(pod.uid) ? new ReservedTotals.Nowhere() : new ReservedTotals.Unknown();
        }
        boolean toldOfEither =
                ledger.toldOf(pod.uid) || vm.cameFrom.filter(ledger::toldOf).isPresent();
        if (ledger.anyLost() || !toldOfEither) {
            return new ReservedTotals.Unknown();
        }
        return ledger.mostReservedFor(vm.id.name())
                .<ReservedTotals>map(ReservedTotals.At::new)
                .orElseGet(ReservedTotals.Nowhere::new);
    }

    /** Somebody is about to change what a VM may be granted. */
    void lowered(ModelVmObject vm) {
        vm.formerly = time.now() < vm.formerlyUntil ? vm.formerly.max(vm.max) : vm.max;
        vm.formerlyUntil = time.now() + FORGOTTEN;
    }

    /**
     * What permits of lost books may have allowed a VM that may have less since: a listing shows what it may have now,
     * and nobody knows any more what it might have before. An agent of the reference goes on with such a permit when it
     * has lapsed, and its VM was settled.
     */
    public Resources lostFromSight(ModelVmObject vm) {
        var contact = ledger.member(vm).map(member -> member.standing().contact());
        if (vm.byReference && contact.equals(Optional.of(Contact.SETTLED))) {
            return vm.max.max(vm.formerly);
        }
        if (vm.inUse().exceeds(vm.max)) {
            vm.formerly = vm.formerly.max(vm.inUse());
            vm.formerlyUntil = time.now() + FORGOTTEN;
        }
        boolean lost = ledger.lostSince(vm.node(), vm.formerlyUntil - 2 * FORGOTTEN);
        return lost && time.now() < vm.formerlyUntil ? vm.formerly : Resources.NONE;
    }

    /** What others told a VM to be counts no more once a runner's own size, which is booked, has taken its place. */
    public void settleImposed(ModelVmObject vm, Resources booked) {
        if (!vm.imposed.equals(Resources.NONE) && !vm.toldByOthers && vm.isAsTold() && !vm.spec.exceeds(booked)) {
            vm.imposed = Resources.NONE;
        }
    }

    /**
     * Whether the first migration of that attempt goes on.
     *
     * @param ours whether that is asked of those of ours, too
     */
    public boolean goesOn(String attempt, boolean ours) {
        return !api.isOver(attempt)
                && api.moves().stream()
                        .anyMatch(move -> move.attempt.equals(attempt) && move.live() && (ours || !move.ours));
    }

    void touch(ModelVmObject vm) {
        if (!vm.touched) {
            vm.touched = true;
            touched.add(vm);
        }
    }

    void say(String line) {
        journal.say(time, line);
    }

    static String text(Resources amount) {
        return amount.milliCpu() + "m/" + (amount.memoryBytes() >> 30) + "Gi";
    }

    String words(Object value) {
        return Words.of(value);
    }

    Clock clock(String part) {
        return new Clock(time, faults, part);
    }

    long seconds() {
        return Seconds.instant(time.now()).getEpochSecond();
    }

    ModelVmObject everyVm(VmId id) {
        return everyVm.get(id);
    }

    /** Virtual time. */
    public Timeline time() {
        return time;
    }

    /** What is done to it. */
    public Faults faults() {
        return faults;
    }

    /** What was done and happened, for people. */
    public Journal journal() {
        return journal;
    }

    /** What was counted. */
    public Tally tally() {
        return tally;
    }

    /** What the last event did. */
    public List<Happening> happenings() {
        return happenings;
    }

    /** The VMs of which the last event may have changed something. */
    public List<ModelVmObject> touched() {
        return touched;
    }

    /** All VMs that there are. */
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

    /** Who moves VMs. */
    public PressurePart pressure() {
        return pressure;
    }

    List<AgentPart> agents() {
        return agents;
    }

    ApiServer api() {
        return api;
    }

    ModelBus bus() {
        return bus;
    }

    Controller controller() {
        return controller;
    }

    Movers movers() {
        return movers;
    }

    Guests guests() {
        return guests;
    }

    PatcherPart patcher() {
        return patcher;
    }

    ClusterPart cluster() {
        return cluster;
    }

    GatewayPart gateway() {
        return gateway;
    }

    RunnerConfig runnerConfig() {
        return runnerConfig;
    }

    /**
     * Whether the ledger was shown what that VM uses. Of one that an agent of the reference scales, nothing else tells
     * the ledger of what it uses beyond what its agent reports.
     */
    public boolean isShown(ModelVmObject vm) {
        var fact = ledger.member(vm).flatMap(member -> member.seen().vm());
        return !vm.byReference
                || fact.filter(it -> it.version() >= vm.grownAt()).isPresent();
    }
}
