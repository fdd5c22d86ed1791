package io.sluice.gateway.console;

import io.sluice.bus.BillingAddresses;
import io.sluice.bus.Bus;
import io.sluice.bus.LedgerAddresses;
import io.sluice.bus.PlacementAddresses;
import io.sluice.bus.PressureAddresses;
import io.sluice.bus.RequestFailureText;
import io.sluice.gateway.core.console.FleetModel;
import io.sluice.gateway.core.console.Why;
import io.sluice.gateway.core.console.fleet.VmStatus;
import io.sluice.gateway.listener.Replies;
import io.sluice.messages.billing.ReadVmBill;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.messages.ledger.SnapshotRequest;
import io.sluice.messages.ledger.grant.GrantQuery;
import io.sluice.messages.ledger.grant.NearestGrant;
import io.sluice.messages.placement.ListPendingPods;
import io.sluice.messages.placement.PendingPodList;
import io.sluice.messages.placement.PendingPodList.PendingPod;
import io.sluice.messages.placement.PodGrantQuery;
import io.sluice.messages.pressure.RankNode;
import io.sluice.messages.pressure.Ranking;
import io.sluice.shell.Shell;
import io.sluice.shell.explain.GrantText;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Replies with the details of one VM, one node or the pods that wait. It requests what the console does not keep, and
 * omits what does not arrive in time.
 */
final class DetailAnswers {
    private static final int PODS_MAX = 200;
    private static final Future<NearestGrant> UNKNOWN = Future.succeededFuture(NearestGrant.UNKNOWN);

    /**
     * What is requested for an explanation.
     *
     * @param ranking the order in which VMs would leave its node, if it arrived
     * @param grant what would let its request be granted
     * @param target what would let a node take it
     */
    private record Nearest(Optional<Ranking> ranking, NearestGrant grant, NearestGrant target) {
        static final Nearest NONE = new Nearest(Optional.empty(), NearestGrant.UNKNOWN, NearestGrant.UNKNOWN);

        Why to(Why why) {
            return why instanceof Why.Known known ? to(known) : why;
        }

        Why.Known to(Why.Known why) {
            return why.with(grant, target);
        }
    }

    private final Vertx vertx;
    private final Bus bus;
    private final Shell shell;
    private final FleetModel fleet;
    private final ConsoleProcess process;

    DetailAnswers(Vertx vertx, Bus bus, Shell shell, FleetModel fleet, ConsoleProcess process) {
        this.vertx = vertx;
        this.bus = bus;
        this.shell = shell;
        this.fleet = fleet;
        this.process = process;
    }

    /** Sends the page of a VM, by {@code namespace/name}. */
    void vm(RoutingContext context, String key) {
        var known = fleet.vm(key);
        if (known.isEmpty()) {
            context.fail(new HttpException(404, "no VM " + key + " is known"));
            return;
        }
        var node = known.get().node();
        var pod = known.get().observed().map(VmObserved::pod).orElse("");
        var reservation = ledger(node).map(found -> found.flatMap(all -> reservation(all, pod)));
        Future.all(reservation, nearest(key, node))
                .onSuccess(both -> vm(context, key, reservation.result(), both.resultAt(1)));
    }

    private void vm(RoutingContext context, String key, Optional<ReservationView> reservation, Nearest nearest) {
        var vm = fleet.vm(key);
        var view = fleet.view(key);
        if (vm.isPresent()
                && view.isPresent()
                && fleet.whyVm(key, Optional.empty(), nearest.ranking(), now()) instanceof Why.Known why) {
            var observed = vm.flatMap(VmStatus::observed).orElseThrow();
            var page = new DetailJson.VmPage(
                    vm.get(), observed, view.get(), reservation, fleet.history(key), nearest.to(why));
            send(context, DetailJson.of(page));
        } else {
            context.fail(new HttpException(404, "the VM " + key + " has just gone"));
        }
    }

    /** Sends what was billed of a VM in the last hours, also of one that is gone. */
    void bill(RoutingContext context, String namespace, String name) {
        var node = fleet.vm(namespace + "/" + name).map(VmStatus::node).orElse("");
        bus.request(BillingAddresses.VM_BILL, new ReadVmBill(namespace, name, node))
                .onSuccess(bill -> send(context, DetailJson.of(bill)))
                .onFailure(lost -> send(
                        context,
                        DetailJson.unknownBill("no process leads billing: "
                                + RequestFailureText.why(BillingAddresses.VM_BILL, lost))));
    }

    /** Sends the page of a node. */
    void node(RoutingContext context, String name) {
        if (fleet.node(name).isEmpty()) {
            context.fail(new HttpException(404, "no node " + name + " is known"));
            return;
        }
        var ledger = ledger(name);
        Future.all(ledger, ranking(name)).onSuccess(both -> {
            var node = ledger.result().or(() -> fleet.node(name));
            if (node.isPresent() && fleet.whyNode(name, Optional.empty(), now()) instanceof Why.Known why) {
                send(
                        context,
                        DetailJson.of(new DetailJson.NodePage(node.get(), ledger.result(), both.resultAt(1), why)));
            } else {
                context.fail(new HttpException(404, "the node " + name + " has just gone"));
            }
        });
    }

    /** Sends the pods that wait for a node. */
    void pods(RoutingContext context) {
        bus.request(PlacementAddresses.PENDING, new ListPendingPods("", PODS_MAX))
                .map(Optional::of)
                .otherwise(Optional.empty())
                .onSuccess(list -> {
                    var sentences = list.map(PendingPodList::pods).orElse(List.of()).stream()
                            .collect(Collectors.toMap(PendingPod::label, this::whyPending, (one, other) -> one));
                    send(
                            context,
                            json -> PendingJson.of(
                                            list, sentences, process.peers().get())
                                    .to(json));
                });
    }

    /** Sends the page of a pod that waits, by {@code namespace/name}. */
    void pod(RoutingContext context, String key) {
        bus.request(PlacementAddresses.PENDING, new ListPendingPods(key, 1))
                .onFailure(
                        lost -> context.fail(new HttpException(503, "placement did not reply: " + lost.getMessage())))
                .onSuccess(found -> found.pods().stream()
                        .findFirst()
                        .ifPresentOrElse(
                                pod -> nearestNode(key).onSuccess(nearest -> pod(context, pod, nearest)),
                                () -> context.fail(new HttpException(404, "no pod " + key + " waits for a node"))));
    }

    private void pod(RoutingContext context, PendingPod pod, NearestGrant nearest) {
        boolean isDecided = fleet.whyPod(pod.label(), Optional.empty(), now()) instanceof Why.Known;
        send(context, PendingJson.of(pod, whyPending(pod), GrantText.sentence(nearest), isDecided));
    }

    private String whyPending(PendingPod pod) {
        return fleet.whyPending(pod.label(), Instant.ofEpochSecond(pod.createdAtSeconds()), now());
    }

    /** Explains a VM's state; a name alone is enough if only one VM has it. */
    void whyVm(RoutingContext context, String name) {
        switch (RequestedTime.read(context.request().params().get("at"))) {
            case RequestedTime.Wrong(var sentence) -> context.fail(new HttpException(400, sentence));
            case RequestedTime.Known(var at) -> {
                var keys = fleet.meant(name);
                var node = keys.size() == 1
                        ? fleet.vm(keys.getFirst()).map(VmStatus::node).orElse("")
                        : "";
                (at.isPresent() || keys.size() != 1
                                ? Future.succeededFuture(Nearest.NONE)
                                : nearest(keys.getFirst(), node))
                        .onSuccess(nearest ->
                                why(context, "vm", name, nearest.to(fleet.whyVm(name, at, nearest.ranking(), now()))));
            }
        }
    }

    /** Explains a node's state. */
    void whyNode(RoutingContext context, String name) {
        switch (RequestedTime.read(context.request().params().get("at"))) {
            case RequestedTime.Wrong(var sentence) -> context.fail(new HttpException(400, sentence));
            case RequestedTime.Known(var at) -> why(context, "node", name, fleet.whyNode(name, at, now()));
        }
    }

    /** Explains a pod's placement; a name alone is enough if only one pod has it. */
    void whyPod(RoutingContext context, String name) {
        switch (RequestedTime.read(context.request().params().get("at"))) {
            case RequestedTime.Wrong(var sentence) -> context.fail(new HttpException(400, sentence));
            case RequestedTime.Known(var at) -> {
                var why = fleet.whyPod(name, at, now());
                (at.isEmpty() && why instanceof Why.Known known ? nearestNode(known.subject()) : UNKNOWN)
                        .map(nearest -> new Nearest(Optional.empty(), nearest, NearestGrant.UNKNOWN))
                        .onSuccess(nearest -> why(context, "pod", name, nearest.to(why)));
            }
        }
    }

    private void why(RoutingContext context, String what, String name, Why why) {
        switch (why) {
            case Why.Known known -> send(context, WhyJson.of(what, known));
            case Why.Unknown() -> context.fail(new HttpException(404, "no " + what + " " + name + " is known"));
            case Why.Ambiguous(var candidates) ->
                Replies.json(
                        context,
                        409,
                        JsonText.object(json -> json.text(
                                        "error",
                                        "several " + (what.equals("vm") ? "VMs" : "pods") + " are named " + name
                                                + ": add a namespace")
                                .texts("candidates", candidates)));
        }
    }

    private static Optional<ReservationView> reservation(NodeLedgerView ledger, String uid) {
        return ledger.reservations().stream()
                .filter(reservation -> reservation.pod().equals(uid))
                .findFirst();
    }

    private Future<Optional<NodeLedgerView>> ledger(String node) {
        if (node.isEmpty()) {
            return Future.succeededFuture(Optional.empty());
        }
        return bus.request(LedgerAddresses.SNAPSHOT, new SnapshotRequest(node))
                .map(snapshot -> snapshot.nodes().stream()
                        .filter(ledger -> ledger.node().equals(node))
                        .findFirst())
                .otherwise(Optional.empty());
    }

    /** What would let a VM's agent have the permit that it is denied, and let the VM leave a node under pressure. */
    private Future<Nearest> nearest(String key, String node) {
        var permit = fleet.deniedPermit(key, now()).map(this::nearest).orElse(UNKNOWN);
        return ranking(node)
                .compose(ranking -> Future.all(fleet.targets(key, ranking, now()).stream()
                                .map(this::nearest)
                                .toList())
                        .map(replies -> NearestGrant.ofAny(replies.list()))
                        .compose(target -> permit.map(grant -> new Nearest(ranking, grant, target))));
    }

    private Future<NearestGrant> nearest(GrantQuery query) {
        return bus.request(LedgerAddresses.NEAREST_GRANT, query).otherwise(NearestGrant.UNKNOWN);
    }

    /** What would let a node take a pod that waits. */
    private Future<NearestGrant> nearestNode(String pod) {
        return bus.request(PlacementAddresses.NEAREST_GRANT, new PodGrantQuery(pod))
                .otherwise(NearestGrant.UNKNOWN);
    }

    private Future<Optional<Ranking>> ranking(String node) {
        if (node.isEmpty()) {
            return Future.succeededFuture(Optional.empty());
        }
        return bus.request(PressureAddresses.RANK, new RankNode(node))
                .map(Optional::of)
                .otherwise(Optional.empty());
    }

    /** A page has hours of history or hundreds of reservations: it is serialized off the event loop. */
    private void send(RoutingContext context, JsonText.Content fields) {
        vertx.executeBlocking(() -> JsonText.object(fields), false)
                .onFailure(context::fail)
                .onSuccess(json -> Replies.json(context, 200, json));
    }

    private Instant now() {
        return shell.clock().instant();
    }
}
