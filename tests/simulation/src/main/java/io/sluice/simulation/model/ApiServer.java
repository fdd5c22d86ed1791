package io.sluice.simulation.model;

import io.sluice.devices.Zone;
import io.sluice.messages.cluster.MigrationPhase;
import io.sluice.messages.vm.PatchVm;
import io.sluice.simulation.model.agent.Flight;
import io.sluice.simulation.model.pods.ScaledPodObject;
import io.sluice.units.Resources;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Stores all objects under one growing version, reports each write to the watches, and runs the tests of patches. */
public final class ApiServer {
    private final World world;
    private final Map<String, NodeObject> nodes = new LinkedHashMap<>();
    private final Map<String, PodObject> pods = new LinkedHashMap<>();
    private final Map<String, ModelVmObject> vms = new LinkedHashMap<>();
    private final Set<String> over = new HashSet<>();
    private final Set<String> moved = new HashSet<>();
    private final Map<String, MoveObject> moves = new LinkedHashMap<>();
    private long version = 1_000;
    private long made;

    ApiServer(World world) {
        this.world = world;
    }

    long version() {
        return version;
    }

    List<NodeObject> nodes() {
        return new ArrayList<>(nodes.values());
    }

    List<PodObject> pods() {
        return new ArrayList<>(pods.values());
    }

    /** The current VMs, in the order of their creation. */
    List<ModelVmObject> vms() {
        return new ArrayList<>(vms.values());
    }

    /** Whether a migration of that attempt has ended. A late copy of its request may have created another one since. */
    boolean isOver(String attempt) {
        return over.contains(attempt);
    }

    /** Whether a migration of that attempt succeeded, and its object is gone. */
    boolean hasMoved(String attempt) {
        return moved.contains(attempt);
    }

    List<MoveObject> moves() {
        return new ArrayList<>(moves.values());
    }

    Optional<NodeObject> node(String name) {
        return Optional.ofNullable(nodes.get(name));
    }

    /** The VM that has that name now. */
    Optional<ModelVmObject> vm(String name) {
        return Optional.ofNullable(vms.get(name));
    }

    Optional<MoveObject> move(String name) {
        return Optional.ofNullable(moves.get(name));
    }

    /** A number that was never returned before. */
    long fresh() {
        return ++made;
    }

    void write(NodeObject node) {
        node.version = ++version;
        nodes.put(node.name, node);
        world.cluster().watched(node);
    }

    /** The nodes with NUMA zones. */
    public List<String> zonedNodes() {
        return nodes().stream()
                .filter(NodeObject::hasZones)
                .map(node -> node.name)
                .toList();
    }

    /** Writes what the kubelet of a node reports of its zones, with the pods on it. */
    public void report(String name, List<Zone> zones) {
        node(name).ifPresent(node -> {
            var pods = pods().stream()
                    .filter(pod -> pod.node.equals(name))
                    .map(pod -> Map.entry(ModelVmObject.NAMESPACE, pod.name))
                    .toList();
            node.reports(fresh(), pods, zones);
            write(node);
        });
    }

    void delete(NodeObject node) {
        node.there = false;
        node.version = ++version;
        nodes.remove(node.name, node);
        world.cluster().watched(node);
    }

    void write(PodObject pod) {
        if (pod.there) {
            pod.version = ++version;
            pods.put(pod.uid, pod);
            world.cluster().watched(pod);
            pod.vm.ifPresent(world::touch);
        }
    }

    void delete(PodObject pod) {
        if (pod.there) {
            pod.there = false;
            pod.version = ++version;
            pods.remove(pod.uid, pod);
            world.cluster().watched(pod);
            pod.vm.ifPresent(world::touch);
        }
    }

    /** Writes a VM; one that is a pod is the same object as that pod. */
    public void write(ModelVmObject vm) {
        if (vm.there) {
            vm.written(++version);
            world.exceeded(vm);
            vms.put(vm.id.name(), vm);
            watched(vm);
            world.touch(vm);
        }
    }

    /** Deletes a VM; one that is a pod with that pod. */
    public void delete(ModelVmObject vm) {
        if (vm.there) {
            vm.there = false;
            vm.written(++version);
            vms.remove(vm.id.name(), vm);
            watched(vm);
        }
    }

    private void watched(ModelVmObject vm) {
        if (!vm.isPod()) {
            world.cluster().watched(vm);
            return;
        }
        var pod = vm.pod.orElseThrow();
        pod.version = version;
        pod.there = vm.there;
        pod.amounts = vm.inUse();
        if (vm.there) {
            pods.put(pod.uid, pod);
        } else {
            pods.remove(pod.uid, pod);
        }
        world.cluster().watched(pod);
        world.scaledPods().written(vm);
    }

    /** What the pods of a node may have; empty while the node is not there. */
    public Optional<Resources> allocatable(String node) {
        return node(node).map(found -> found.allocatable);
    }

    /** What all pods of a node but that one have by its kubelet. The runner pods of VMs request next to nothing. */
    public Resources requestedOn(String node, ModelVmObject except) {
        return pods.values().stream()
                .filter(pod -> pod.node.equals(node))
                .filter(pod -> pod.vm.isEmpty() || pod.vm.get().isPod() && pod.vm.get() != except)
                .map(pod -> pod.scaled().map(ScaledPodObject::allocated).orElse(pod.amounts))
                .reduce(Resources.NONE, Resources::plus);
    }

    void write(MoveObject move) {
        if (move.there) {
            move.version = ++version;
            moves.put(move.name, move);
            world.cluster().watched(move);
        }
    }

    void delete(MoveObject move) {
        if (move.there) {
            move.there = false;
            move.version = ++version;
            over.add(move.attempt);
            if (move.phase == MigrationPhase.SUCCEEDED) {
                moved.add(move.attempt);
            }
            moves.remove(move.name, move);
            world.cluster().watched(move);
        }
    }

    /** Writes a fence over the one that was read, unless another one has replaced it since. */
    boolean claim(ModelVmObject vm, String read, String fence, String runner) {
        if (!vm.there || !vm.fence.equals(read)) {
            return false;
        }
        vm.fence = fence;
        vm.claimedBy = runner;
        write(vm);
        return true;
    }

    /** Applies a patch if its tests hold. */
    boolean patch(Flight flight) {
        PatchVm patch = flight.patch;
        var vm = flight.vm;
        if (!vm.there || !flight.lands()) {
            return false;
        }
        vm.fence = vm.byReference ? vm.fence : patch.nextFence();
        vm.spec = patch.target();
        vm.target = patch.revision();
        vm.reportedByOthers = false;
        world.happened(new Happening.PatchApplied(vm, flight));
        write(vm);
        world.controller().look(vm);
        return true;
    }

    /** Sets the size of a VM without a fence, as another client would. */
    void impose(ModelVmObject vm, Resources size) {
        vm.imposed = vm.imposed.max(size);
        vm.spec = size;
        vm.reportedByOthers = true;
        write(vm);
        world.controller().look(vm);
    }
}
