package io.sluice.lab;

import io.sluice.lab.api.ApiClient;
import io.sluice.lab.api.LabPaths;
import io.sluice.lab.controller.Delay;
import io.sluice.lab.controller.RunnerPod;
import io.sluice.lab.core.FleetPlan;
import io.sluice.lab.core.LabNode;
import io.sluice.lab.core.LabPod;
import io.sluice.lab.core.LabVm;
import io.sluice.lab.faults.LabFaults;
import io.sluice.lab.guest.Guest;
import io.sluice.lab.guest.GuestSpec;
import io.sluice.lab.kubelet.KubeletStandIn;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Creates the nodes, guests, VMs and pods of a plan through the API, as their owners would. */
final class Fleet {
    private final Vertx vertx;
    private final ApiClient api;
    private final InstantSource clock;
    private final Duration day;
    private final LabFaults faults;
    private final LabWork work;
    private final Map<String, Guest> guests = new ConcurrentHashMap<>();
    private final List<KubeletStandIn> kubelets = new CopyOnWriteArrayList<>();
    private final Map<String, Arrived> arrived = new HashMap<>();
    private int guestCount;
    private final List<String> nodes = new ArrayList<>();

    /** A VM whose pod has no node yet. */
    private record Arrived(LabVm vm, Guest guest) {}

    Fleet(Vertx vertx, ApiClient api, InstantSource clock, Duration day, LabFaults faults, LabWork work) {
        this.vertx = vertx;
        this.api = api;
        this.clock = clock;
        this.day = day;
        this.faults = faults;
        this.work = work;
    }

    /** The guests of VMs that run, by the names of their VMs. Safe from any thread. */
    Map<String, Guest> guests() {
        return guests;
    }

    /** The CPU that each ordinary pod uses now. Safe from any thread. */
    Map<String, Double> podCpus() {
        var cpus = new TreeMap<String, Double>();
        kubelets.forEach(kubelet -> cpus.putAll(kubelet.cpus()));
        return cpus;
    }

    /**
     * Completes when every object exists, every guest answers and every pod runs.
     *
     * @param pods of these nodes
     * @param resizing of their kubelets
     */
    Future<Void> start(List<LabNode> nodes, List<LabPod> pods, Delay resizing) {
        return Future.join(nodes.stream()
                        .map(node -> start(
                                node,
                                pods.stream()
                                        .filter(pod -> pod.node().equals(node.name()))
                                        .toList(),
                                resizing))
                        .toList())
                .mapEmpty();
    }

    Future<Void> close() {
        var all = Stream.concat(
                guests.values().stream(), arrived.values().stream().map(Arrived::guest));
        return Future.join(
                        Stream.concat(all.map(Guest::close), kubelets.stream().map(KubeletStandIn::close))
                                .toList())
                .mapEmpty();
    }

    /**
     * Deletes all objects of the fleet that still exist in its Kubernetes cluster, and those that were created for its
     * VMs.
     */
    Future<Void> withdraw() {
        return items(LabPaths.MIGRATIONS)
                .compose(migrations -> Future.join(migrations.stream()
                        .filter(migration -> guests.containsKey(
                                migration.getJsonObject("spec").getString("vmName")))
                        .map(migration -> withdraw(LabPaths.migration(name(migration))))
                        .toList()))
                .transform(migrations -> Future.join(guests.keySet().stream()
                        .map(vm -> api.delete(LabPaths.vm(vm)))
                        .toList()))
                .transform(vms -> items(LabPaths.PODS))
                .compose(pods -> Future.join(pods.stream()
                        .filter(this::isOfFleet)
                        .map(pod -> api.delete(LabPaths.pod(name(pod))))
                        .toList()))
                .transform(pods -> Future.join(nodes.stream()
                        .map(node -> api.delete(LabPaths.NODES + "/" + node))
                        .toList()))
                .mapEmpty();
    }

    /** The migration controller is stopping too, so the finalizer is removed here. */
    private Future<Void> withdraw(String migration) {
        var released = new JsonObject().put("metadata", new JsonObject().putNull("finalizers"));
        return api.delete(migration).compose(deleted -> api.mergeIfThere(migration, released));
    }

    private Future<List<JsonObject>> items(String collection) {
        return api.get(collection)
                .map(list -> list.getJsonArray("items").stream()
                        .map(JsonObject.class::cast)
                        .toList());
    }

    /** Includes target pods of migrations, which may not have a node yet. */
    private boolean isOfFleet(JsonObject pod) {
        var labels = pod.getJsonObject("metadata").getJsonObject("labels", new JsonObject());
        return nodes.contains(pod.getJsonObject("spec").getString("nodeName", ""))
                || guests.containsKey(labels.getString(RunnerPod.VM_LABEL, ""));
    }

    private static String name(JsonObject object) {
        return object.getJsonObject("metadata").getString("name");
    }

    private Future<Void> start(LabNode node, List<LabPod> pods, Delay resizing) {
        nodes.add(node.name());
        Future<Void> done = pods.isEmpty()
                ? api.create(LabPaths.NODES, Manifests.node(node)).mapEmpty()
                : start(node, pods, new KubeletStandIn(vertx, api, resizing, node));
        for (var vm : node.vms()) {
            done = done.compose(before -> start(node, vm));
        }
        return node.others().hasZero() ? done : done.compose(before -> startOther(node));
    }

    private Future<Void> start(LabNode node, List<LabPod> pods, KubeletStandIn kubelet) {
        kubelets.add(kubelet);
        return kubelet.start()
                .compose(port -> api.create(LabPaths.NODES, Manifests.node(node, port)))
                .compose(made -> Future.join(pods.stream()
                        .map(pod ->
                                kubelet.load(pod, day).compose(loaded -> api.create(LabPaths.PODS, Manifests.pod(pod))))
                        .toList()))
                .compose(made -> kubelet.run());
    }

    private Future<Void> startOther(LabNode node) {
        return api.create(LabPaths.PODS, Manifests.otherPod(node))
                .compose(pod -> running(pod.getJsonObject("metadata").getString("name"), "127.0.0.1"));
    }

    private Future<Void> start(LabNode node, LabVm vm) {
        var guest = guest(vm);
        guests.put(vm.name(), guest);
        return guest.start()
                .compose(started -> api.create(LabPaths.VMS, Manifests.vm(vm, guest)))
                .compose(object -> api.create(LabPaths.PODS, Manifests.runnerPod(vm, node, object)))
                .compose(pod -> running(Manifests.podName(vm), guest.metrics().host()))
                .compose(running -> runs(vm, node.name(), guest));
    }

    private Future<Void> runs(LabVm vm, String node, Guest guest) {
        return api.merge(LabPaths.vm(vm.name()) + "/status", Manifests.vmStatus(vm, node, guest))
                .mapEmpty();
    }

    /** Creates a VM and its pod, which runs once a scheduler has bound it. */
    Future<Void> arrive(LabVm vm) {
        var guest = guest(vm);
        arrived.put(Manifests.podName(vm), new Arrived(vm, guest));
        return guest.start()
                .compose(started -> api.create(LabPaths.VMS, Manifests.vm(vm, guest)))
                .compose(object -> api.merge(LabPaths.vm(vm.name()) + "/status", Manifests.vmPending(vm))
                        .compose(pending -> api.create(LabPaths.PODS, Manifests.runnerPod(vm, object))))
                .mapEmpty();
    }

    /** Starts the VM of a pod that was bound, after that time; of other pods nothing follows. */
    Future<Void> bound(JsonObject pod, Duration boot) {
        var node = pod.getJsonObject("spec").getString("nodeName", "");
        var of = node.isEmpty() ? null : arrived.remove(name(pod));
        if (of == null) {
            return Future.succeededFuture();
        }
        guests.put(of.vm().name(), of.guest());
        return vertx.timer(boot.toMillis(), TimeUnit.MILLISECONDS)
                .compose(booted -> running(name(pod), of.guest().metrics().host()))
                .compose(runs -> runs(of.vm(), node, of.guest()));
    }

    private Future<Void> running(String pod, String ip) {
        return api.merge(LabPaths.pod(pod) + "/status", Manifests.podRunning(ip))
                .mapEmpty();
    }

    private Guest guest(LabVm vm) {
        return new Guest(vertx, spec(vm), clock, faults.ofGuest(vm.name()), () -> work.of(vm.name()));
    }

    private GuestSpec spec(LabVm vm) {
        return new GuestSpec(
                vm.name(),
                guestCount++,
                vm.series(),
                vm.offset(),
                day,
                vm.vCpus(),
                vm.sizes().initial(),
                FleetPlan.MEMORY,
                vm.events(),
                vm.fileCache());
    }
}
