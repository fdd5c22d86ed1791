package io.sluice.gateway.console;

import io.sluice.gateway.core.peers.PeerReport;
import io.sluice.gateway.core.peers.PeerText;
import io.sluice.gateway.core.peers.PeerView;
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
 * The processes of the Hazelcast cluster, their state and their assignments, at one instant.
 *
 * @param status the Hazelcast cluster as this process sees it
 * @param report the state of all processes
 * @param peers all processes, for the assignments
 */
record ClusterPage(ClusterStatus status, PeerReport report, Peers peers, Instant now) {
    private static final String AGENT = "agent";
    private static final String PRESSURE = "pressure";

    /** The state of one process: what it reports itself, if it replies. */
    private record Row(
            Peer peer,
            boolean self,
            Optional<ClusterStatus.Member> joined,
            Optional<MemberStatus> status,
            Optional<PeerView> view) {
        private boolean ledger() {
            return joined.filter(ClusterStatus.Member::keepsLedgerState).isPresent();
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
        return json -> json.flag("clustered", status.clustered())
                .text("self", peers.self().id())
                .flag("ready", ready(rows))
                .array("members", rows, (to, row) -> to.open(row(row)))
                .object(
                        "ledgers",
                        to -> to.number("configured", status.ledgersConfigured())
                                .number(
                                        "present",
                                        status.members().stream()
                                                .filter(ClusterStatus.Member::keepsLedgerState)
                                                .count()))
                .object("grants", to -> grants(to, granted(rows)))
                .object(
                        "partitionsSafe",
                        partitionsSafe(),
                        (to, safe) -> to.out().writeBoolean(safe))
                .object("shares", to -> shares(to, rows))
                .array(
                        "notes",
                        status.entries(),
                        (to, entry) ->
                                to.open(parts -> parts.time("at", entry.at()).text("sentence", entry.sentence())));
    }

    private boolean ready(List<Row> rows) {
        return granted(rows) instanceof Granted.Yes && rows.stream().allMatch(row -> row.state() == State.READY);
    }

    /** Whether permits are granted, as far as this process can determine it. */
    private sealed interface Granted {
        record Yes() implements Granted {}

        record No(String sentence) implements Granted {}
    }

    /**
     * A process without ledger state cannot decide it alone; a process with ledger state is not ready while it may
     * grant nothing.
     */
    private Granted granted(List<Row> rows) {
        if (status.grants() instanceof ClusterStatus.Grants.Stopped(var sentence)) {
            return new Granted.No(sentence);
        }
        return hasLedger() || rows.stream().anyMatch(row -> row.ledger() && row.state() == State.READY)
                ? new Granted.Yes()
                : new Granted.No("no process with ledger state is ready");
    }

    private boolean hasLedger() {
        return !status.clustered()
                || status.members().stream().anyMatch(member -> member.self() && member.keepsLedgerState());
    }

    private List<Row> rows() {
        var self = peers.self().id();
        Map<String, ClusterStatus.Member> joined = status.members().stream()
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
                    .flag("ledger", row.ledger())
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

    /** A process that is alone has no roles in its peer entry; its status has them. */
    private static List<String> roles(Row row) {
        var roles = row.peer().roles().isEmpty()
                ? row.status().map(MemberStatus::roles).orElse(List.of())
                : row.peer().roles();
        return roles.stream().sorted().toList();
    }

    private static void status(JsonText json, Optional<MemberStatus> status) throws IOException {
        json.text("version", status.map(MemberStatus::version).orElse(""))
                .number("uptimeMs", status.map(reported -> reported.uptime().toMillis()))
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

    /** Empty until the process has reported it. */
    private static Optional<Long> served(Row row) {
        return row.status().stream()
                .flatMap(reported -> reported.counts().stream())
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

    /** Empty if this process cannot determine it. */
    private Optional<Boolean> partitionsSafe() {
        return Optional.of(status.partitionsSafe()).filter(safe -> !safe || hasLedger());
    }

    /** Each agent reports how many VMs it serves, because the assignment of a VM depends on all agents. */
    private void shares(JsonText json, List<Row> rows) throws IOException {
        json.array(
                "agent",
                rows.stream().filter(row -> roles(row).contains(AGENT)).toList(),
                (to, row) -> to.open(parts -> parts.text("id", row.peer().id()).number("vms", served(row))));
        json.text("pressure", new Assignment(peers, PRESSURE).holder(PRESSURE).orElse(""));
    }
}
