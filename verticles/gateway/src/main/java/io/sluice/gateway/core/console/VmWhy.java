package io.sluice.gateway.core.console;

import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.pressure.Ranking;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Puts together why one VM stands as it does, from how it stands now and from what is kept of it. */
final class VmWhy {
    /** A move that is longer ago explains nothing. */
    private static final Duration MOVED_LATELY = Duration.ofMinutes(15);

    private final FleetView fleet;
    private final DecisionHistory why;
    private final String key;
    private final Instant now;

    VmWhy(FleetView fleet, DecisionHistory why, String key, Instant now) {
        this.fleet = fleet;
        this.why = why;
        this.key = key;
        this.now = now;
    }

    /** As it stands; {@code ranking} is of its node, where somebody gave one. */
    Why.Known now(Optional<Ranking> ranking) {
        List<Reason> reasons = new ArrayList<>(kept(Optional.empty()));
        var standing = fleet.find(key);
        if (standing.isEmpty()) {
            return new Why.Known(key, "it is gone", Optional.empty(), reasons);
        }
        var vm = standing.get();
        var sentence = sentence(vm, now);
        if (vm.status().isPresent()) {
            reasons.addFirst(Reason.of(vm, Optional.empty(), sentence));
        }
        return new Why.Known(key, sentence + moved(reasons) + place(vm, ranking), Optional.of(vm.since()), reasons);
    }

    /** As it stood. */
    Why.Known then(Instant time) {
        var reasons = kept(Optional.of(time));
        var held = reasons.stream().filter(reason -> reason.held(time)).findFirst();
        if (held.isPresent()) {
            return new Why.Known(key, held.get().text(), held.map(Reason::at), reasons);
        }
        var standing = fleet.find(key)
                .filter(vm -> vm.status().isPresent() && !vm.since().isAfter(time));
        if (standing.isPresent()) {
            var vm = standing.get();
            return new Why.Known(key, sentence(vm, time) + AmountText.AS_LAST_TOLD, Optional.of(vm.since()), reasons);
        }
        var last = reasons.stream().findFirst();
        return new Why.Known(
                key,
                last.map(reason -> "how it stood then is not kept; the last before: " + reason.text())
                        .orElse("nothing is kept of that time"),
                last.map(Reason::at),
                reasons);
    }

    private String sentence(VmStatus vm, Instant time) {
        var books = fleet.node(vm.node()).or(vm::books);
        return VmSentence.of(vm, books, fleet.migration(key), time);
    }

    private List<Reason> kept(Optional<Instant> atOrBefore) {
        return why.of(new DecisionHistory.Subject.Vm(key), atOrBefore);
    }

    private String moved(List<Reason> reasons) {
        return reasons.stream()
                .filter(reason -> reason.kind().equals("MOVED"))
                .findFirst()
                .filter(reason -> reason.at().plus(MOVED_LATELY).isAfter(now))
                .map(reason ->
                        "; it was moved here from " + reason.node() + " " + AmountText.time(reason.at(), now) + " ago")
                .orElse("");
    }

    private String place(VmStatus vm, Optional<Ranking> ranking) {
        if (ranking.isEmpty()
                || fleet.node(vm.node()).filter(NodeLedgerView::underPressure).isEmpty()) {
            return "";
        }
        var member = vm.seen().map(seen -> seen.pod()).orElse("");
        var ranks = ranking.get().ranks();
        for (int place = 0; place < ranks.size(); place++) {
            var rank = ranks.get(place);
            if (rank.member().equals(member)) {
                return "; " + vm.node() + " is under pressure, and "
                        + (rank.candidate() ? "it would leave as number " + (place + 1) : "it would not leave") + ": "
                        + AmountText.cut(rank.reason());
            }
        }
        return "";
    }
}
