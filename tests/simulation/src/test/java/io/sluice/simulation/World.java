package io.sluice.simulation;

import io.sluice.agent.core.runner.LfcScrape;
import io.sluice.agent.core.runner.RestartPace;
import io.sluice.agent.core.runner.Resume;
import io.sluice.agent.core.runner.RunnerConfig;
import io.sluice.agent.core.runner.RunnerEvent;
import io.sluice.agent.core.scaling.CoreConfig;
import io.sluice.ledger.core.Contact;
import io.sluice.ledger.core.LedgerCommand;
import io.sluice.messages.ledger.Settle;
import io.sluice.messages.vm.ClaimReply;
import io.sluice.messages.vm.PatchReply;
import io.sluice.messages.vm.PatchVm;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** One node, its VMs, their runners (two for the first VM), one ledger, and an API that keeps no promise of time. */
final class World {
    private static final int VMS = 4;
    private static final Resources NODE_SIZE = new Resources(9_000, 36L << 30);
    private static final Resources MIN = new Resources(250, 1L << 30);
    private static final Resources MAX = new Resources(4_000, 16L << 30);
    private static final Resources START = new Resources(500, 2L << 30);
    private static final Duration FACT_LAG = Duration.ofSeconds(2);
    private static final Duration CONTROLLER_LAG = Duration.ofSeconds(6);
    private static final RestartPace RESTARTS = new RestartPace(
            Duration.ofSeconds(5), Duration.ofSeconds(10), Duration.ofSeconds(60), Duration.ofSeconds(10));

    private final VirtualTime time = new VirtualTime();
    private final Faults faults;
    private final RunnerConfig config;
    private final LedgerModel ledger = new LedgerModel(time, NODE_SIZE);
    private final List<ApiModel> vms = new ArrayList<>();
    private final Map<ApiModel, List<RunnerHost>> hosts = new LinkedHashMap<>();
    private final Map<ApiModel, List<PatchVm>> underWay = new LinkedHashMap<>();
    private final Set<ApiModel> beingChanged = new HashSet<>();
    private final Migrations moves;
    private int patches;
    private int settles;

    World(Faults faults, CoreConfig core) {
        this.faults = faults;
        this.config = new RunnerConfig(
                core,
                Duration.ofMillis(100),
                Duration.ofSeconds(5),
                3,
                LfcScrape.DEFAULTS,
                Duration.ofSeconds(5),
                Duration.ofSeconds(12),
                Duration.ofSeconds(30),
                RESTARTS);
        for (int i = 0; i < VMS; i++) {
            var vm = new ApiModel("vm-" + i, LedgerModel.NODES.getFirst(), MIN, MAX, START);
            vms.add(vm);
            underWay.put(vm, new ArrayList<>());
            hosts.put(vm, new ArrayList<>());
            addHost(vm, "agent-a");
        }
        addHost(vms.getFirst(), "agent-b");
        moves = new Migrations(this, vms);
        LedgerModel.NODES.forEach(node -> ledger.load(node, vms, moves.pods()));
        hosts.values().stream()
                .flatMap(List::stream)
                .forEach(host -> time.in(faults.upTo(Duration.ofSeconds(20)), () -> host.start(Resume.FRESH)));
        time.in(Duration.ofSeconds(1), this::misfortune);
        time.in(Duration.ofSeconds(1), this::tick);
        time.in(Duration.ofSeconds(1), moves::beginOne);
    }

    private void addHost(ApiModel vm, String agent) {
        hosts.get(vm).add(new RunnerHost(this, vm, agent + "." + vm.vm().name()));
    }

    RunnerConfig config() {
        return config;
    }

    VirtualTime time() {
        return time;
    }

    Faults faults() {
        return faults;
    }

    LedgerModel ledger() {
        return ledger;
    }

    int moved() {
        return moves.arrived();
    }

    int patches() {
        return patches;
    }

    boolean step(Instant end) {
        return time.step(end);
    }

    ClaimReply claimed(ApiModel vm, String runner) {
        var reply = vm.claim(runner);
        tell(vm);
        return reply;
    }

    void sent(ApiModel vm, PatchVm patch) {
        underWay.get(vm).add(patch);
    }

    PatchReply applied(ApiModel vm, PatchVm patch) {
        underWay.get(vm).remove(patch);
        var reply = vm.patch(patch);
        if (reply instanceof PatchReply.Patched) {
            patches++;
            tell(vm);
            reconcile(vm);
        }
        return reply;
    }

    /** One controller: it reads, acts on that some time later, and looks again. */
    private void reconcile(ApiModel vm) {
        if (!beingChanged.add(vm)) {
            return;
        }
        var read = vm.read();
        time.in(faults.upTo(CONTROLLER_LAG), () -> {
            beingChanged.remove(vm);
            if (vm.moves()) {
                reconcile(vm);
                return;
            }
            vm.reconcile(read, !faults.oneIn(3));
            tell(vm);
            if (!vm.isAsTold()) {
                reconcile(vm);
            }
        });
    }

    /** What the object shows now reaches each party some time, in any order, or never. */
    void tell(ApiModel vm) {
        var fact = vm.seen();
        hosts.get(vm).forEach(host -> {
            if (!faults.lost()) {
                time.in(faults.upTo(FACT_LAG), () -> host.hear(new RunnerEvent.VmChanged(fact)));
            }
        });
        if (!faults.lost()) {
            time.in(faults.upTo(FACT_LAG), () -> ledger.apply(fact.node(), new LedgerCommand.SeeVm(fact)));
        }
    }

    private void tick() {
        LedgerModel.NODES.forEach(node -> ledger.apply(node, new LedgerCommand.Tick()));
        vms.forEach(this::tell);
        time.in(Duration.ofSeconds(5), this::tick);
    }

    private void misfortune() {
        time.in(faults.upTo(Duration.ofSeconds(40)), this::misfortune);
        switch (faults.random().nextInt(8)) {
            case 0 -> loseBooks();
            case 1, 2 -> anyHost(vms.get(faults.random().nextInt(VMS))).crash();
            case 3 -> anyHost(vms.getFirst()).crash();
            default -> {}
        }
    }

    private RunnerHost anyHost(ApiModel vm) {
        var all = hosts.get(vm);
        return all.get(faults.random().nextInt(all.size()));
    }

    /** The books are lost and loaded anew; members nobody asks for are settled once no lost permit can be used. */
    private void loseBooks() {
        var lost = faults.oneIn(2) ? LedgerModel.NODES : LedgerModel.NODES.subList(0, 1);
        lost.forEach(ledger::forget);
        time.in(faults.upTo(Duration.ofSeconds(3)), () -> {
            lost.forEach(node -> ledger.load(node, vms, moves.pods()));
            moves.markAgain();
            time.in(LedgerModel.PERMIT_VALID_FOR.plusSeconds(2), this::settle);
        });
    }

    private void settle() {
        for (var vm : vms) {
            boolean waits = ledger.member(vm.node(), vm.pod())
                    .filter(member -> member.standing().contact() == Contact.RECOVERED)
                    .isPresent();
            if (waits) {
                settles++;
                vm.claim("settle-" + settles);
                tell(vm);
                if (!vm.isAsTold()) {
                    time.in(Duration.ofSeconds(5), this::settle);
                    return;
                }
                ledger.apply(vm.node(), new LedgerCommand.SettleMember(new Settle(vm.node(), vm.pod(), vm.inUse())));
            }
        }
    }

    /** For each VM: what it uses, what is on its way to it, and what may still be started on a permit, are booked. */
    void checkPromises() {
        if (!ledger.complete()) {
            return;
        }
        for (var vm : vms) {
            var booked = moves.booked(vm);
            require(vm, "is told to use", vm.spec(), booked);
            require(vm, "uses", vm.status(), wholeCpus(booked));
            underWay.get(vm).stream()
                    .filter(patch ->
                            patch.fence().equals(vm.fence()) && patch.podName().equals(vm.pod()))
                    .forEach(patch -> require(vm, "may be patched to", patch.target(), booked));
            hosts.get(vm)
                    .forEach(host -> host.state().ifPresent(state -> {
                        if (state.fence().equals(vm.fence())) {
                            state.core()
                                    .flatMap(core -> core.effectivePermit(time.now()))
                                    .ifPresent(permit -> require(vm, "has a permit for", permit, booked));
                        }
                    }));
        }
    }

    /** CPUs are plugged whole: a VM that is told 1.75 of them has 2, and nobody can tell the one from the other. */
    private static Resources wholeCpus(Resources amount) {
        return new Resources(Math.ceilDiv(amount.milliCpu(), 1_000) * 1_000, amount.memoryBytes());
    }

    private void require(ApiModel vm, String what, Resources amount, Resources booked) {
        if (amount.exceeds(booked)) {
            throw new AssertionError("at " + time.now() + " " + vm.vm().label() + " " + what + " " + amount
                    + ", the books hold " + booked);
        }
    }
}
