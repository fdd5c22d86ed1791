package io.sluice.placement.core.elastic;

import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.placement.GangState;
import io.sluice.messages.placement.GangState.Member;
import io.sluice.messages.placement.GangState.Step;
import io.sluice.placement.core.elastic.ElasticJob.Handover;
import io.sluice.placement.core.gangs.GangRecord;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The gangs that wait for room, as jobs for which others shrink. Each needs what it lacks of its minimum, no more and
 * no less; nothing is scaled for it, as its pods exist already.
 */
public final class WaitingGangs {
    /** No job has an empty namespace, so no quota counts a gang's pods again. */
    private static final String NO_NAMESPACE = "";

    private static final Duration LASTS = Duration.ofSeconds(15);

    private final int most;
    private final Map<String, Published> gangs = new TreeMap<>();
    private final Map<String, PodObserved> pods = new HashMap<>();
    private final Map<String, Handover> handovers = new HashMap<>();

    /** Since when there is room by the ledgers. Other rules may keep a gang from it for ever. */
    private final Map<String, Instant> roomSince = new HashMap<>();

    private final Duration kept;
    private boolean planned;
    private boolean changed;

    private record Published(GangState gang, Instant since, Instant at) {}

    /**
     * @param most the largest number of gangs, and of pods that wait
     * @param kept how long jobs do not grow into the room that a gang has by the ledgers
     */
    public WaitingGangs(int most, Duration kept) {
        this.kept = kept;
        this.most = most;
    }

    /** Applies how far a gang is. */
    public void received(GangState gang, Instant now) {
        var id = id(gang);
        boolean waits = GangRecord.isForRoom(gang.reason());
        var before = gangs.get(id);
        if (!waits) {
            gangs.remove(id);
            handovers.remove(id);
            roomSince.remove(id);
        } else if (before != null || gangs.size() < most) {
            gangs.put(id, new Published(gang, before == null ? now : before.since(), now));
            changed |= before == null;
        }
    }

    /** Applies a pod that waits. */
    public void received(PodObserved pod) {
        if (pods.containsKey(pod.uid()) || pods.size() < most) {
            pods.put(pod.uid(), pod);
        }
    }

    /** Applies the end of a pod, or that it waits no more. */
    public void waitsNoMore(String uid) {
        pods.remove(uid);
    }

    /** Whether a gang has begun to wait since the last call. */
    public boolean takeChanged() {
        boolean was = changed;
        changed = false;
        return was;
    }

    /** Another process plans now. */
    public void forget() {
        handovers.clear();
        planned = false;
    }

    /**
     * Those that wait, as jobs. What an earlier process had others give is what these are still to give.
     *
     * @param others all other jobs
     */
    public List<ElasticJob> jobs(Collection<ElasticJob> others, Instant now) {
        gangs.values().removeIf(gang -> now.isAfter(gang.at().plus(LASTS)));
        handovers.keySet().retainAll(gangs.keySet());
        roomSince.keySet().retainAll(gangs.keySet());
        var found = new ArrayList<ElasticJob>();
        gangs.forEach((id, gang) -> {
            if (!now.isAfter(roomSince.getOrDefault(id, now).plus(kept))) {
                job(gang).ifPresent(found::add);
            }
        });
        if (!planned && !found.isEmpty()) {
            var giving = new TreeMap<String, Integer>();
            others.stream().filter(job -> job.leaving() > 0).forEach(job -> giving.put(job.id(), job.leaving()));
            others.forEach(job -> job.handover()
                    .ifPresent(its -> giving.keySet().removeAll(its.givers().keySet())));
            if (!giving.isEmpty()) {
                var first = found.getFirst();
                handovers.put(first.id(), new Handover(now, giving));
                found.set(0, first.awaiting(Optional.of(handovers.get(first.id()))));
            }
        }
        planned = true;
        return found;
    }

    private Optional<ElasticJob> job(Published published) {
        var gang = published.gang();
        var waiting = gang.members().stream()
                .filter(member -> member.step() == Step.PENDING)
                .map(Member::uid)
                .filter(pods::containsKey)
                .map(pods::get)
                .toList();
        int need = gang.minMember() - gang.count(Step.BOUND, Step.RUNNING, Step.SUCCEEDED);
        if (need <= 0 || waiting.size() < need) {
            return Optional.empty();
        }
        var running = gang.members().stream()
                .filter(member -> member.step() == Step.BOUND || member.step() == Step.RUNNING)
                .map(Member::node)
                .toList();
        return Optional.of(new ElasticJob(
                NO_NAMESPACE,
                name(gang),
                published.since(),
                waiting.stream().mapToInt(PodObserved::priority).max().orElse(0),
                running.size() + need,
                running.size() + need,
                running.size(),
                largest(waiting),
                running,
                Optional.empty(),
                Optional.ofNullable(handovers.get(id(gang)))));
    }

    /** All members of a job are alike. */
    private static ElasticMemberRequest largest(List<PodObserved> pods) {
        var amounts = Resources.NONE;
        var fixed = new HashMap<String, Long>();
        for (var pod : pods) {
            amounts = amounts.max(pod.amounts());
            pod.fixed().byKind().forEach((kind, amount) -> fixed.merge(kind, amount, Math::max));
        }
        return new ElasticMemberRequest(amounts, FixedAmounts.of(fixed));
    }

    private static String name(GangState gang) {
        return "gang " + gang.label() + (gang.apiGroup().isEmpty() ? "" : " of " + gang.apiGroup());
    }

    private static String id(GangState gang) {
        return NO_NAMESPACE + "/" + name(gang);
    }

    /** Applies what was decided for gangs. */
    public void decided(ElasticPlan plan, Instant now) {
        for (var change : plan.changes()) {
            if (gangs.containsKey(change.job())) {
                switch (change) {
                    case ElasticPlan.Await(var id, var handover) -> {
                        handovers.put(id, handover);
                        roomSince.remove(id);
                    }
                    case ElasticPlan.GiveBack(var id, var _) -> handovers.put(id, new Handover(now, Map.of()));
                    case ElasticPlan.Begin(var id, var _) -> {
                        handovers.remove(id);
                        roomSince.putIfAbsent(id, now);
                    }
                    case ElasticPlan.Wait(var id, var _) -> roomSince.remove(id);
                    case ElasticPlan.Grow _, ElasticPlan.Shrink _, ElasticPlan.Resize _ -> {}
                }
            }
        }
    }

    /** Whether room that others give is awaited for any. */
    public boolean awaits() {
        return handovers.values().stream().anyMatch(Handover::isAwaited);
    }
}
