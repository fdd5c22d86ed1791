package io.sluice.replay.core.nodes;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.messages.cluster.MigrationGone;
import io.sluice.messages.cluster.MigrationObserved;
import io.sluice.messages.cluster.MigrationPhase;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.VmGone;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.vm.EndMigration;
import io.sluice.messages.vm.EndReply;
import io.sluice.messages.vm.MigrateReply;
import io.sluice.messages.vm.MigrateVm;
import io.sluice.pressure.core.Pressure;
import io.sluice.pressure.core.PressureEvent;
import io.sluice.pressure.core.actions.MigrationReply;
import io.sluice.pressure.core.actions.MigrationRequest;
import io.sluice.pressure.core.actions.PressureAction;
import io.sluice.pressure.core.choice.PressureRules;
import io.sluice.replay.core.vm.VmModel;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Migrations of VMs between replayed nodes: production's core of the role {@code pressure} decides on them, and a
 * driver copies a VM's memory in virtual time. Its replies and observations come at once.
 */
final class ReplayedMigrations {
    private static final String PROCESS = "replay";

    private final ReplayedNodes nodes;
    private final VmModel model;
    private final Pressure core;
    private final Map<String, NodeVm> vms = new LinkedHashMap<>();
    private final Map<String, Copy> underWay = new LinkedHashMap<>();
    /** The VMs of the objects that were not deleted yet, by uid. */
    private final Map<String, String> objects = new LinkedHashMap<>();

    private final Deque<PressureEvent> events = new ArrayDeque<>();
    private int begun;
    private int ended;
    private long copyingSeconds;

    /** A migration under way, by the name of its object. */
    private record Copy(
            MigrateVm request, NodeVm vm, String uid, ReplayedNodes.Place target, long seconds, Instant end) {
        MigrationObserved observed(MigrationPhase phase, long version, Instant begin) {
            return new MigrationObserved(
                    ReplayedNodes.DRIVER,
                    ReplayedNodes.NAMESPACE,
                    request.migration(),
                    uid,
                    version,
                    request.vm().name(),
                    phase,
                    request.podName(),
                    target.podName(),
                    request.roomOn(),
                    true,
                    false,
                    begin.getEpochSecond(),
                    request.attempt());
        }
    }

    ReplayedMigrations(ReplayedNodes nodes, VmModel model, PressureRules rules, Collection<NodeVm> all) {
        this.nodes = nodes;
        this.model = model;
        core = new Pressure(PROCESS, rules, Instant.EPOCH);
        all.forEach(vm -> vms.put(vm.placed().name(), vm));
        listAll();
        settle(Instant.EPOCH);
    }

    /** A VM was placed. */
    void added(NodeVm vm) {
        vms.put(vm.placed().name(), vm);
        events.add(new PressureEvent.PodReceived(vm.placed().pod("")));
        events.add(new PressureEvent.VmReceived(vm.placed().vm(phase(vm))));
    }

    /** A VM leaves with its pods; its migration ends. */
    void removed(NodeVm vm, Instant now) {
        vms.remove(vm.placed().name());
        for (var copy : List.copyOf(underWay.values())) {
            if (copy.vm() == vm) {
                underWay.remove(copy.request().migration());
                lose(copy.target(), now);
            }
        }
        lose(vm.placed().place(), now);
        events.add(new PressureEvent.VmMissed(
                new VmGone(vm.placed().vm(VmPhase.RUNNING).vm(), nodes.version())));
    }

    private void lose(ReplayedNodes.Place place, Instant now) {
        var gone = new PodGone(place.podUid(), place.node(), nodes.version());
        nodes.apply(place.node(), new LedgerCommand.LosePod(gone), now);
        events.add(new PressureEvent.PodMissed(gone));
    }

    /** A full list: every object is observed, and then that these are all. */
    private void listAll() {
        nodes.observed().forEach(node -> events.add(new PressureEvent.NodeReceived(node)));
        for (var vm : vms.values()) {
            events.add(new PressureEvent.PodReceived(vm.placed().pod("")));
            events.add(new PressureEvent.VmReceived(vm.placed().vm(phase(vm))));
        }
        for (var copy : underWay.values()) {
            var pod = copy.vm().placed().podAt(copy.target(), copy.request().migration());
            events.add(new PressureEvent.PodReceived(pod));
        }
        events.add(new PressureEvent.FullListReceived(Optional.empty()));
    }

    private VmPhase phase(NodeVm vm) {
        boolean migrates = underWay.values().stream().anyMatch(copy -> copy.vm() == vm);
        return migrates ? VmPhase.MIGRATING : VmPhase.RUNNING;
    }

    int begun() {
        return begun;
    }

    /** The mean time of the migrations that have ended. */
    double secondsOfEach() {
        return ended == 0 ? 0 : (double) copyingSeconds / ended;
    }

    /** Nodes that changed are looked at, and what is due ends. */
    void look(Instant now) {
        for (var copy : List.copyOf(underWay.values())) {
            if (!copy.end().isAfter(now)) {
                arrive(copy, now);
            }
        }
        nodes.changed().forEach(view -> events.add(new PressureEvent.NodeChanged(view)));
        events.add(new PressureEvent.Ticked());
        settle(now);
    }

    private void settle(Instant now) {
        for (var event = events.poll(); event != null; event = events.poll()) {
            for (var action : core.on(event, now)) {
                perform(action, now);
            }
        }
    }

    private void perform(PressureAction action, Instant now) {
        switch (action) {
            case PressureAction.Look(var number, var node) ->
                events.add(new PressureEvent.Looked(number, new Snapshot(nodes.views(node))));
            case PressureAction.Send send ->
                events.addFirst(
                        new PressureEvent.Answered(send.number(), send.migration(), reply(send.request(), now)));
            case PressureAction.RequestRelist _ -> listAll();
            case PressureAction.Publish _, PressureAction.Record _ -> {}
        }
    }

    private MigrationReply reply(MigrationRequest request, Instant now) {
        return switch (request) {
            case MigrationRequest.Hold(var hold) ->
                new MigrationReply.OfHold(nodes.apply(hold.node(), new LedgerCommand.Hold(hold), now));
            case MigrationRequest.Release(var free) ->
                new MigrationReply.OfHold(nodes.apply(free.node(), new LedgerCommand.Release(free), now));
            case MigrationRequest.Mark(var mark) ->
                new MigrationReply.OfMark(nodes.apply(mark.node(), new LedgerCommand.Mark(mark), now));
            case MigrationRequest.Unmark(var mark) ->
                new MigrationReply.OfMark(nodes.apply(mark.node(), new LedgerCommand.Unmark(mark), now));
            case MigrationRequest.Migrate(var migrate) -> new MigrationReply.OfMigrate(begin(migrate, now));
            case MigrationRequest.End(var end) -> new MigrationReply.OfEnd(end(end, now));
        };
    }

    /** The target's pod takes over the hold, and the VM is copied. */
    private MigrateReply begin(MigrateVm request, Instant now) {
        var vm = vms.get(request.vm().name());
        if (vm == null
                || !vm.placed().podName().equals(request.podName())
                || underWay.containsKey(request.migration())) {
            return new MigrateReply.Refused("the VM is not there, or migrates");
        }
        begun++;
        vm.placed().resized(vm.replay().size());
        double mebibytes = Math.max(1, vm.replay().memoryUnits()) * model.unitMebibytes();
        long seconds = (long) Math.ceil(mebibytes / model.migrationMebibytesPerSecond());
        var target = new ReplayedNodes.Place(request.roomOn(), vm.placed().name() + "-" + begun);
        var copy = new Copy(request, vm, "migration-" + begun, target, seconds, now.plusSeconds(seconds));
        underWay.put(request.migration(), copy);
        objects.put(copy.uid(), vm.placed().name());
        var pod = vm.placed().podAt(target, request.migration());
        nodes.apply(target.node(), new LedgerCommand.ObservePod(pod), now);
        vm.replay().migrates();
        observe(vm, VmPhase.MIGRATING, now);
        var observed = copy.observed(MigrationPhase.RUNNING, nodes.version(), now);
        events.add(new PressureEvent.PodReceived(pod));
        events.add(new PressureEvent.MigrationReceived(observed));
        return new MigrateReply.Begun(copy.uid(), observed.version());
    }

    private void observe(NodeVm vm, VmPhase phase, Instant now) {
        var observed = vm.placed().vm(phase);
        nodes.apply(vm.placed().node(), new LedgerCommand.ObserveVm(observed), now);
        events.add(new PressureEvent.VmReceived(observed));
    }

    private void arrive(Copy copy, Instant now) {
        var placed = copy.vm().placed();
        var source = new PodGone(placed.podUid(), placed.node(), nodes.version());
        placed.moveTo(copy.target());
        var pod = placed.pod("");
        nodes.apply(placed.node(), new LedgerCommand.ObservePod(pod), now);
        observe(copy.vm(), VmPhase.RUNNING, now);
        nodes.apply(source.node(), new LedgerCommand.LosePod(source), now);
        placed.open(now);
        events.add(new PressureEvent.PodReceived(pod));
        events.add(new PressureEvent.MigrationReceived(
                copy.observed(MigrationPhase.SUCCEEDED, nodes.version(), copy.end())));
        events.add(new PressureEvent.PodMissed(source));
        copy.vm().replay().migrated(true);
        ended++;
        copyingSeconds += copy.seconds();
        underWay.remove(copy.request().migration());
    }

    /** A migration that is still under way is undone. */
    private EndReply end(EndMigration request, Instant now) {
        Optional.ofNullable(underWay.remove(request.name())).ifPresent(copy -> {
            lose(copy.target(), now);
            observe(copy.vm(), VmPhase.RUNNING, now);
            copy.vm().replay().migrated(false);
        });
        Optional.ofNullable(objects.remove(request.uid()))
                .ifPresent(vm -> events.add(new PressureEvent.MigrationMissed(
                        new MigrationGone(request.namespace(), request.name(), request.uid(), vm, nodes.version()))));
        return new EndReply.Ended();
    }
}
