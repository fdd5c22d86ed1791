package io.sluice.gateway.core.peers;

import io.sluice.messages.member.MemberStatus;
import io.sluice.shell.Peer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Watches whether the other processes answer, and knows which of them this one cannot do without.
 *
 * <p>A process counts as answering until it has been silent for {@link #SILENT_AFTER}; one that has just come counts
 * from its first answer on. What this process needs is missing only where nobody who has it answers.
 */
public final class PeerWatch {
    /** Two questions may be lost in a row before anybody is called silent. */
    public static final Duration SILENT_AFTER = Duration.ofSeconds(3);

    /** More are not watched. */
    static final int PEERS_MAX = 1_000;

    private static final int NAMED_MAX = 4;

    private final Set<String> ownRoles;
    private final Map<String, Set<String>> needs;
    private final Map<String, Answered> others = new TreeMap<>();

    /** What is known of one other process. */
    private static final class Answered {
        private Peer peer;
        private Optional<MemberStatus> status = Optional.empty();
        private Optional<Duration> roundTrip = Optional.empty();
        private Optional<Instant> silentSince;
        private String reason = "";
        private Optional<Instant> askedAt = Optional.empty();

        private Answered(Peer peer, Instant now) {
            this.peer = peer;
            silentSince = Optional.of(now);
        }

        private boolean answering(Instant now) {
            return status.isPresent()
                    && silentSince
                            .filter(since -> !since.plus(SILENT_AFTER).isAfter(now))
                            .isEmpty();
        }
    }

    /**
     * A watch that has seen nobody.
     *
     * @param ownRoles what this process runs
     * @param needs for a role of this process the roles that somebody must answer for
     */
    public PeerWatch(Set<String> ownRoles, Map<String, Set<String>> needs) {
        this.ownRoles = Set.copyOf(ownRoles);
        this.needs = new TreeMap<>(needs);
    }

    /** Takes who there is now beside this process; who is not among them is forgotten. */
    public void members(List<Peer> peers, Instant now) {
        var ids = new HashSet<String>();
        for (var peer : peers.subList(0, Math.min(peers.size(), PEERS_MAX))) {
            ids.add(peer.id());
            others.computeIfAbsent(peer.id(), id -> new Answered(peer, now)).peer = peer;
        }
        others.keySet().retainAll(ids);
    }

    /** Whom to ask now: everybody who does not owe an answer already. */
    public List<String> ask(Instant now) {
        List<String> asked = new ArrayList<>();
        others.forEach((id, seen) -> {
            if (seen.askedAt.isEmpty()) {
                seen.askedAt = Optional.of(now);
                asked.add(id);
            }
        });
        return asked;
    }

    /** Takes an answer; of somebody who is gone it changes nothing. */
    public void answered(String id, MemberStatus status, Instant now) {
        var seen = others.get(id);
        if (seen != null) {
            seen.roundTrip = seen.askedAt.map(at -> Duration.between(at, now)).or(() -> seen.roundTrip);
            seen.askedAt = Optional.empty();
            seen.status = Optional.of(status);
            seen.silentSince = Optional.empty();
            seen.reason = "";
        }
    }

    /**
     * Takes that a question was not answered; silence begins when the first one was asked.
     *
     * @param reason why, in words
     */
    public void lost(String id, String reason, Instant now) {
        var seen = others.get(id);
        if (seen != null) {
            seen.silentSince = seen.silentSince.or(() -> seen.askedAt).or(() -> Optional.of(now));
            seen.askedAt = Optional.empty();
            seen.reason = reason;
        }
    }

    /** How many others there are. */
    public int count() {
        return others.size();
    }

    /** How many of them answer. */
    public int answering(Instant now) {
        return (int)
                others.values().stream().filter(seen -> seen.answering(now)).count();
    }

    /** All of them, sorted by id. */
    public List<PeerView> views(Instant now) {
        return others.values().stream()
                .map(seen -> new PeerView(
                        seen.peer, seen.status, seen.roundTrip, seen.silentSince, seen.answering(now), seen.reason))
                .toList();
    }

    /** What this process cannot do without and has not: a sentence for each, without an end. */
    public List<String> missing(Instant now) {
        List<String> sentences = new ArrayList<>();
        Map<String, Set<String>> silent = new TreeMap<>();
        wanted().forEach((role, wanting) -> {
            var having = others.values().stream()
                    .filter(seen -> seen.peer.roles().contains(role))
                    .toList();
            if (having.isEmpty()) {
                sentences.add("no process with the role " + role + " is there (" + PeerText.need(wanting, "it") + ")");
            } else if (having.stream().noneMatch(seen -> seen.answering(now))) {
                having.forEach(seen -> silent.computeIfAbsent(seen.peer.id(), id -> new TreeSet<>())
                        .add(PeerText.need(wanting, role)));
            }
        });
        silent.forEach((id, why) -> sentences.add(silence(others.get(id), List.copyOf(why), now)));
        return cut(sentences);
    }

    /** The roles that are needed and not run here, each with those of this process that need it. */
    private Map<String, Set<String>> wanted() {
        Map<String, Set<String>> wanted = new TreeMap<>();
        needs.forEach((mine, roles) -> roles.stream()
                .filter(role -> ownRoles.contains(mine) && !ownRoles.contains(role))
                .forEach(role ->
                        wanted.computeIfAbsent(role, added -> new TreeSet<>()).add(mine)));
        return wanted;
    }

    private static String silence(Answered seen, List<String> why, Instant now) {
        var since = Duration.between(seen.silentSince.orElse(now), now);
        var silence = seen.status.isEmpty()
                ? " has not answered over the bus yet, for "
                : " has not answered over the bus for ";
        return "the process " + PeerText.named(seen.peer) + silence + PeerText.time(since) + " (" + PeerText.and(why)
                + ")";
    }

    private static List<String> cut(List<String> sentences) {
        if (sentences.size() <= NAMED_MAX) {
            return List.copyOf(sentences);
        }
        var cut = new ArrayList<>(sentences.subList(0, NAMED_MAX));
        cut.add("and " + (sentences.size() - NAMED_MAX) + " more");
        return List.copyOf(cut);
    }
}
