package io.sluice.gateway.console;

import io.sluice.bus.Bus;
import io.sluice.bus.LedgerAddresses;
import io.sluice.bus.PressureAddresses;
import io.sluice.gateway.core.console.FleetModel;
import io.sluice.gateway.core.console.VmStatus;
import io.sluice.gateway.core.console.Why;
import io.sluice.gateway.listener.ShortReplies;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.messages.ledger.SnapshotRequest;
import io.sluice.messages.pressure.RankNode;
import io.sluice.messages.pressure.Ranking;
import io.sluice.shell.Shell;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.time.Instant;
import java.util.Optional;

/**
 * Answers about one VM or one node. What the console does not keep itself it asks for, and leaves out what nobody
 * answers in time.
 */
final class DetailAnswers {
    private final Vertx vertx;
    private final Bus bus;
    private final Shell shell;
    private final FleetModel book;

    DetailAnswers(Vertx vertx, Bus bus, Shell shell, FleetModel book) {
        this.vertx = vertx;
        this.bus = bus;
        this.shell = shell;
        this.book = book;
    }

    /** The page of a VM, by {@code namespace/name}. */
    void vm(HttpServerRequest request, String key) {
        var known = book.vm(key);
        if (known.isEmpty()) {
            ShortReplies.error(request, 404, "no VM " + key + " is known");
            return;
        }
        var node = known.get().node();
        var member = known.get().seen().map(VmObserved::pod).orElse("");
        var books = books(node).map(found -> found.flatMap(all -> member(all, member)));
        Future.all(books, ranking(node)).onSuccess(both -> vm(request, key, books.result(), both.resultAt(1)));
    }

    private void vm(
            HttpServerRequest request, String key, Optional<ReservationView> member, Optional<Ranking> ranking) {
        var vm = book.vm(key);
        var view = book.view(key);
        if (vm.isPresent()
                && view.isPresent()
                && book.whyVm(key, Optional.empty(), ranking, now()) instanceof Why.Known why) {
            var seen = vm.flatMap(VmStatus::seen).orElseThrow();
            var page = new DetailJson.VmPage(vm.get(), seen, view.get(), member, book.history(key), why);
            send(request, DetailJson.of(page));
        } else {
            ShortReplies.error(request, 404, "the VM " + key + " has just gone");
        }
    }

    /** The page of a node. */
    void node(HttpServerRequest request, String name) {
        if (book.node(name).isEmpty()) {
            ShortReplies.error(request, 404, "no node " + name + " is known");
            return;
        }
        var books = books(name);
        Future.all(books, ranking(name)).onSuccess(both -> {
            var node = books.result().or(() -> book.node(name));
            if (node.isPresent() && book.whyNode(name, Optional.empty(), now()) instanceof Why.Known why) {
                send(
                        request,
                        DetailJson.of(new DetailJson.NodePage(node.get(), books.result(), both.resultAt(1), why)));
            } else {
                ShortReplies.error(request, 404, "the node " + name + " has just gone");
            }
        });
    }

    /** Why a VM stands as it does; a name alone is enough where it is the only one. */
    void whyVm(HttpServerRequest request, String name) {
        switch (RequestedTime.read(request.params().get("at"))) {
            case RequestedTime.Wrong(var sentence) -> ShortReplies.error(request, 400, sentence);
            case RequestedTime.Known(var at) -> {
                var keys = book.meant(name);
                var node = keys.size() == 1
                        ? book.vm(keys.getFirst()).map(VmStatus::node).orElse("")
                        : "";
                ranking(at.isPresent() ? "" : node)
                        .onSuccess(ranking -> why(request, "vm", name, book.whyVm(name, at, ranking, now())));
            }
        }
    }

    /** Why a node stands as it does. */
    void whyNode(HttpServerRequest request, String name) {
        switch (RequestedTime.read(request.params().get("at"))) {
            case RequestedTime.Wrong(var sentence) -> ShortReplies.error(request, 400, sentence);
            case RequestedTime.Known(var at) -> why(request, "node", name, book.whyNode(name, at, now()));
        }
    }

    private void why(HttpServerRequest request, String what, String name, Why why) {
        switch (why) {
            case Why.Known known -> send(request, WhyJson.of(what, known));
            case Why.Unknown() -> ShortReplies.error(request, 404, "no " + what + " " + name + " is known");
            case Why.Ambiguous(var candidates) ->
                ShortReplies.json(
                        request,
                        409,
                        JsonText.object(json -> json.text("error", "several VMs are named " + name + ": say which")
                                        .texts("candidates", candidates))
                                .toString());
        }
    }

    private static Optional<ReservationView> member(NodeLedgerView books, String uid) {
        return books.members().stream()
                .filter(member -> member.member().equals(uid))
                .findFirst();
    }

    private Future<Optional<NodeLedgerView>> books(String node) {
        if (node.isEmpty()) {
            return Future.succeededFuture(Optional.empty());
        }
        return bus.request(LedgerAddresses.SNAPSHOT, new SnapshotRequest(node))
                .map(snapshot -> snapshot.nodes().stream()
                        .filter(books -> books.node().equals(node))
                        .findFirst())
                .otherwise(Optional.empty());
    }

    private Future<Optional<Ranking>> ranking(String node) {
        if (node.isEmpty()) {
            return Future.succeededFuture(Optional.empty());
        }
        return bus.request(PressureAddresses.RANK, new RankNode(node))
                .map(Optional::of)
                .otherwise(Optional.empty());
    }

    /** A page holds hours of history or hundreds of members: it is written down off the event loop. */
    private void send(HttpServerRequest request, JsonText.Content members) {
        vertx.executeBlocking(() -> JsonText.object(members), false)
                .onFailure(failure -> ShortReplies.error(request, 500, "the answer could not be written down"))
                .onSuccess(json -> {
                    if (!request.response().closed()) {
                        request.response()
                                .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                                .end(json);
                    }
                });
    }

    private Instant now() {
        return shell.clock().instant();
    }
}
