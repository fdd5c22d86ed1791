package io.sluice.gateway.console;

import io.sluice.gateway.core.peers.PeerText;
import io.sluice.gateway.core.peers.PeerView;
import io.sluice.gateway.peers.PeerReport;
import io.sluice.messages.member.MemberStatus;
import io.sluice.shell.Assignment;
import io.sluice.shell.ClusterStatus;
import io.sluice.shell.Peer;
import io.sluice.shell.Peers;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Who takes part in the cluster, how each is, and who holds what, at one instant.
 *
 * @param sight what this process knows of its cluster
 * @param report how all processes stand
 * @param peers all processes, as shares of work are counted
 */
record ClusterPage(ClusterStatus sight, PeerReport report, Peers peers, Instant now) {
    private static final String AGENT = "agent";
    private static final String PRESSURE = "pressure";

    /** What one process is like: its own words where they are heard. */
    private record Row(
            Peer peer,
            boolean self,
            Optional<ClusterStatus.Member> joined,
            Optional<MemberStatus> status,
            Optional<PeerView> view) {
        private boolean books() {
            return joined.filter(ClusterStatus.Member::keepsBooks).isPresent();
        }

        private State state() {
            if (!self && view.filter(PeerView::answering).isEmpty()) {
                return State.SILENT;
            }
            return status.filter(MemberStatus::ready).isPresent() ? State.READY : State.WAITING;
        }
    }

    private enum State {
        READY,
        WAITING,
        SILENT
    }

    static ClusterPage of(ConsoleProcess process, Peers peers, Instant now) {
        return new ClusterPage(process.cluster().get(), process.peers().get(), peers, now);
    }

    JsonText.Content json() {
        var rows = rows();
        return json -> json.flag("clustered", sight.clustered())
                .text("self", peers.self().id())
                .flag("ready", ready(rows))
                .array("members", rows, (to, row) -> to.open(row(row)))
                .object(
                        "ledgers",
                        to -> to.number("configured", sight.ledgersConfigured())
                                .number(
                                        "present",
                                        sight.members().stream()
                                                .filter(ClusterStatus.Member::keepsBooks)
                                                .count()))
                .object("grants", to -> grants(to, granted(rows)))
                .object(
                        "partitionsSafe",
                        partitionsSafe(),
                        (to, safe) -> to.out().writeBoolean(safe))
                .object("shares", to -> shares(to, rows))
                .array(
                        "notes",
                        sight.notes(),
                        (to, note) ->
                                to.open(parts -> parts.time("at", note.at()).text("sentence", note.sentence())));
    }

    private boolean ready(List<Row> rows) {
        return granted(rows) instanceof Granted.Yes && rows.stream().allMatch(row -> row.state() == State.READY);
    }

    /** Whether permits are granted, as far as it can be told here. */
    private sealed interface Granted {
        record Yes() implements Granted {}

        record No(String sentence) implements Granted {}
    }

    /** A process without books cannot tell by itself; one that has them is not ready while it may grant nothing. */
    private Granted granted(List<Row> rows) {
        if (sight.grants() instanceof ClusterStatus.Grants.Stopped(var sentence)) {
            return new Granted.No(sentence);
        }
        return tellsOfBooks() || rows.stream().anyMatch(row -> row.books() && row.state() == State.READY)
                ? new Granted.Yes()
                : new Granted.No("no process that keeps books is ready");
    }

    private boolean tellsOfBooks() {
        return !sight.clustered() || sight.members().stream().anyMatch(member -> member.self() && member.keepsBooks());
    }

    private List<Row> rows() {
        var self = peers.self().id();
        Map<String, ClusterStatus.Member> joined = sight.members().stream()
                .collect(Collectors.toMap(member -> member.peer().id(), Function.identity(), (one, same) -> one));
        Map<String, PeerView> views = report.others().stream()
                .collect(Collectors.toMap(view -> view.peer().id(), Function.identity(), (one, same) -> one));
        Map<String, Peer> all = new TreeMap<>();
        joined.forEach((id, member) -> all.put(id, member.peer()));
        peers.all().forEach(peer -> all.put(peer.id(), peer));
        return all.values().stream()
                .map(peer -> {
                    var view = Optional.ofNullable(views.get(peer.id()));
                    boolean own = peer.id().equals(self);
                    var status = own ? Optional.of(report.self()) : view.flatMap(PeerView::status);
                    return new Row(peer, own, Optional.ofNullable(joined.get(peer.id())), status, view);
                })
                .toList();
    }

    private JsonText.Content row(Row row) {
        return json -> {
            json.text("id", row.peer().id())
                    .text("name", PeerText.id(row.peer().id()))
                    .flag("self", row.self())
                    .texts("roles", roles(row))
                    .text("endpoint", row.peer().endpoint())
                    .flag("books", row.books())
                    .time("joinedAt", row.joined().flatMap(ClusterStatus.Member::joinedAt))
                    .text("state", row.state().name());
            status(json, row.status());
            json.number(
                            "roundTripMicros",
                            row.view().flatMap(PeerView::roundTrip).map(ClusterPage::micros))
                    .number(
                            "silentMs",
                            row.view()
                                    .flatMap(PeerView::silentSince)
                                    .map(since -> Duration.between(since, now).toMillis()))
                    .text("reason", row.view().map(PeerView::reason).orElse(""));
        };
    }

    private static long micros(Duration time) {
        return time.toNanos() / 1_000;
    }

    /** A process that is alone is not told apart by its roles, and says them itself. */
    private static List<String> roles(Row row) {
        var roles = row.peer().roles().isEmpty()
                ? row.status().map(MemberStatus::roles).orElse(List.of())
                : row.peer().roles();
        return roles.stream().sorted().toList();
    }

    private static void status(JsonText json, Optional<MemberStatus> status) throws IOException {
        json.text("version", status.map(MemberStatus::version).orElse(""))
                .number("uptimeMs", status.map(said -> said.uptime().toMillis()))
                .array(
                        "waits",
                        status.map(MemberStatus::waits).orElse(List.of()),
                        (to, wait) ->
                                to.open(parts -> parts.text("part", wait.part()).text("sentence", wait.sentence())))
                .array(
                        "counts",
                        status.map(MemberStatus::counts).orElse(List.of()),
                        (to, count) -> to.open(
                                parts -> parts.text("what", count.what()).number("number", count.number())));
    }

    /** Empty until it has said so. */
    private static Optional<Long> served(Row row) {
        return row.status().stream()
                .flatMap(said -> said.counts().stream())
                .filter(count -> count.what().equals(MemberStatus.Count.RUNNERS))
                .map(MemberStatus.Count::number)
                .findFirst();
    }

    private static void grants(JsonText json, Granted granted) throws IOException {
        switch (granted) {
            case Granted.Yes() -> json.flag("allowed", true).text("sentence", "");
            case Granted.No(var sentence) -> json.flag("allowed", false).text("sentence", sentence);
        }
    }

    /** Empty where it cannot be told here. */
    private Optional<Boolean> partitionsSafe() {
        return Optional.of(sight.partitionsSafe()).filter(safe -> !safe || tellsOfBooks());
    }

    /** How many VMs an agent serves it says itself: whose a VM is depends on how its agents share them. */
    private void shares(JsonText json, List<Row> rows) throws IOException {
        json.array(
                "agent",
                rows.stream().filter(row -> roles(row).contains(AGENT)).toList(),
                (to, row) -> to.open(parts -> parts.text("id", row.peer().id()).number("vms", served(row))));
        json.text("pressure", new Assignment(peers, PRESSURE).holder(PRESSURE).orElse(""));
    }
}
