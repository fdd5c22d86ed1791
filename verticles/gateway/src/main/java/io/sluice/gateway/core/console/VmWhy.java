package io.sluice.gateway.core.console;

import io.sluice.gateway.core.console.fleet.AmountText;
import io.sluice.gateway.core.console.fleet.FleetView;
import io.sluice.gateway.core.console.fleet.VmStatus;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.grant.GrantQuery;
import io.sluice.messages.ledger.grant.NearestGrant;
import io.sluice.messages.pressure.Ranking;
import io.sluice.shell.explain.Explanation;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Explains one VM's state, from its current state and its kept entries. */
final class VmWhy {
    /** A move longer ago than this is not part of the explanation. */
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

    /** Explains the current state; {@code ranking} is of its node, if it arrived. */
    Why.Known now(Optional<Ranking> ranking) {
        List<Explanation> reasons = new ArrayList<>(kept(Optional.empty()));
        var status = fleet.find(key);
        if (status.isEmpty()) {
            return new Why.Known(key, "it is gone", Optional.empty(), reasons);
        }
        var vm = status.get();
        var sentence = sentence(vm, now);
        if (vm.status().isPresent()) {
            reasons.addFirst(vm.explained(Optional.empty(), sentence));
        }
        return new Why.Known(
                key,
                sentence + moved(reasons) + place(vm, ranking),
                Optional.of(vm.since()),
                reasons,
                NearestGrant.UNKNOWN,
                NearestGrant.UNKNOWN,
                stays(vm),
                driver(vm));
    }

    /** Explains the state at that time. */
    Why.Known then(Instant time) {
        return stateAt(time).withDriver(fleet.find(key).map(VmWhy::driver).orElse(""));
    }

    private static String driver(VmStatus vm) {
        return vm.observed().map(observed -> observed.vm().driver()).orElse("");
    }

    private Why.Known stateAt(Instant time) {
        var reasons = kept(Optional.of(time));
        var held = reasons.stream().filter(reason -> reason.held(time)).findFirst();
        if (held.isPresent()) {
            return new Why.Known(key, held.get().cause(), held.map(Explanation::since), reasons);
        }
        var status = fleet.find(key)
                .filter(vm -> vm.status().isPresent() && !vm.since().isAfter(time));
        if (status.isPresent()) {
            var vm = status.get();
            return new Why.Known(key, sentence(vm, time) + AmountText.AS_LAST_SET, Optional.of(vm.since()), reasons);
        }
        var last = reasons.stream().findFirst();
        return new Why.Known(
                key,
                last.map(reason -> "its state then is not kept; the last before: " + reason.cause())
                        .orElse("no state of that time is kept"),
                last.map(Explanation::since),
                reasons);
    }

    /** The permit that its agent is denied, if it is. */
    Optional<GrantQuery> denied() {
        return fleet.find(key).flatMap(VmStatus::status).flatMap(VmWhy::denied);
    }

    private static Optional<GrantQuery> denied(RunnerStatus status) {
        var goal = status.goal().orElse(Resources.NONE);
        var target = switch (status.waiting()) {
            case ROOM, NODE, MIGRATION -> Optional.of(goal);
            case MAX -> Optional.of(load(status).max(goal));
            case NOTHING, METRICS, CLAIM, SESSION, PERMIT, RETRY, PERMIT_LAPSED, PATCH, DRIVER, MONITOR ->
                Optional.<Resources>empty();
            case DENIED_DOWNSCALE, SUPERSEDED, STOPPED -> Optional.<Resources>empty();
        };
        return target.map(size -> new GrantQuery.OfPermit(status.node(), status.pod(), size));
    }

    /** The holds of which one would let it leave its node; none unless it should leave and cannot. */
    List<GrantQuery> targets(Optional<Ranking> ranking, Collection<NodeLedgerView> nodes) {
        return fleet.find(key)
                .filter(vm -> isPressed(vm)
                        && rank(vm, ranking).filter(rank -> !rank.candidate()).isPresent())
                .map(vm -> MigrationTargets.of(vm, nodes))
                .orElse(List.of());
    }

    private static Optional<Ranking.Rank> rank(VmStatus vm, Optional<Ranking> ranking) {
        var pod = vm.observed().map(VmObserved::pod).orElse("");
        return ranking.stream()
                .flatMap(order -> order.ranks().stream())
                .filter(rank -> rank.pod().equals(pod))
                .findFirst();
    }

    private boolean isPressed(VmStatus vm) {
        return fleet.node(vm.node()).filter(NodeLedgerView::underPressure).isPresent();
    }

    /** What its load needs, beyond its maximum too. */
    private static Resources load(RunnerStatus status) {
        int units = status.basis().goalCu();
        return status.unit().map(unit -> unit.times(units)).orElse(Resources.NONE);
    }

    private String sentence(VmStatus vm, Instant time) {
        var ledger = fleet.node(vm.node()).or(vm::ledger);
        return VmSentence.of(vm, ledger, fleet.migration(key), time);
    }

    private List<Explanation> kept(Optional<Instant> atOrBefore) {
        return why.of(new DecisionHistory.Subject.Vm(key), atOrBefore);
    }

    private String moved(List<Explanation> reasons) {
        return reasons.stream()
                .filter(reason -> reason.kind().equals("MOVED"))
                .findFirst()
                .filter(reason -> reason.at().plus(MOVED_LATELY).isAfter(now))
                .map(reason ->
                        "; it was moved here from " + reason.node() + " " + AmountText.time(reason.at(), now) + " ago")
                .orElse("");
    }

    /** Why nothing moves it away from a node that is not under pressure. */
    private String stays(VmStatus vm) {
        return fleet.node(vm.node())
                .filter(node -> !node.underPressure() && fleet.migration(key).isEmpty())
                .map(node -> "it stays: " + node.node() + " is " + NodeSentence.calm(node))
                .orElse("");
    }

    private String place(VmStatus vm, Optional<Ranking> ranking) {
        if (ranking.isEmpty() || !isPressed(vm)) {
            return "";
        }
        var pod = vm.observed().map(observed -> observed.pod()).orElse("");
        var ranks = ranking.get().ranks();
        for (int place = 0; place < ranks.size(); place++) {
            var rank = ranks.get(place);
            if (rank.pod().equals(pod)) {
                return "; " + vm.node() + " is under pressure, and "
                        + (rank.candidate() ? "it would leave as number " + (place + 1) : "it would not leave") + ": "
                        + AmountText.cut(rank.reason());
            }
        }
        return "";
    }
}
