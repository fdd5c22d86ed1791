package io.sluice.ledger.clustered;

import java.security.SecureRandom;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;

/**
 * The term in which this member takes part: an unbroken chain of majorities of the configured ledger processes. Ledger
 * state counts in the term in which it was written, and in no other.
 *
 * <p>Each member of a term gives each other member a ticket, a random number. It repeats the ticket in every reply for
 * as long as it has had that member in its list without a break. A member leaves its term when it no longer has the
 * tickets of a majority. It takes part in a term with the tickets of a majority. Members of a term give their tickets
 * to a newcomer only when a majority has repeated its tickets after the newcomer's first request. So a member that was
 * dropped without having detected it can admit no newcomer. Where no member is in a term, the members of one list begin
 * one together.
 *
 * <p>No clock decides this: what counts is which request was answered, and by which member. Safe from any thread.
 */
final class Term {
    private static final UUID NONE = new UUID(0, 0);

    private final int size;
    private final MajorityCheck majority;
    private final Random random;

    private UUID self = NONE;
    private List<UUID> list = List.of();
    private volatile Stay stay;
    private UUID founding;
    private Optional<UUID> term = Optional.empty();
    private UUID givenIn = NONE;

    private final Map<UUID, Newcomer> newcomers = new HashMap<>();
    private final Map<UUID, Long> given = new HashMap<>();
    private final Map<UUID, Got> got = new HashMap<>();
    private final Map<UUID, Offer> offers = new HashMap<>();
    private final Map<UUID, Long> newest = new HashMap<>();

    /** The time from one loss of a term to the next. State that this member holds from before it does not count. */
    static final class Stay {
        private final UUID id;
        private volatile boolean over;

        private Stay(UUID id) {
            this.id = id;
        }

        UUID id() {
            return id;
        }

        boolean isOver() {
            return over;
        }
    }

    /** The first request of a member during its present stay. */
    private record Newcomer(UUID stay, long nanos) {}

    /** The ticket of a member of the same term; {@code in} is whether that member can confirm replicas. */
    private record Got(long ticket, boolean in) {}

    /** The last reply of a member, with a ticket that is not counted yet. */
    private record Offer(Answer answer, long sentNanos, long nanos) {}

    /** The progress of a member on the way into its term. */
    enum Part {
        /** It has too few tickets. */
        OUTSIDE,
        /** It has the tickets of a majority, and begins the term once a majority is ready. */
        READY,
        /** It takes part. */
        IN
    }

    /**
     * The reply to a probe.
     *
     * @param part the progress of the member
     * @param term empty where it neither takes part in a term nor would begin one
     * @param ticket its ticket for the sender of the probe in this term; 0 for none
     * @param founding the term that it would begin if it were the oldest member
     */
    record Answer(Part part, Optional<UUID> term, long ticket, UUID founding) {
        private boolean in() {
            return part == Part.IN;
        }

        private boolean admitsTo(UUID wanted) {
            return ticket != 0 && term.filter(wanted::equals).isPresent();
        }
    }

    /** @param majority counts which members of the term have confirmed lately */
    Term(int size, MajorityCheck majority) {
        this(size, majority, new SecureRandom());
    }

    Term(int size, MajorityCheck majority, Random random) {
        this.size = size;
        this.majority = majority;
        this.random = random;
        stay = new Stay(id());
        founding = id();
    }

    private UUID id() {
        return new UUID(random.nextLong(), random.nextLong());
    }

    /** The term in which this member takes part, if any. */
    synchronized Optional<UUID> current() {
        return term;
    }

    /** The present stay of this member. */
    Stay stay() {
        return stay;
    }

    /** Whether that member confirms replicas of this term: it takes part in it and has this member in its list. */
    synchronized boolean confirms(UUID member) {
        var ticket = got.get(member);
        return ticket != null && ticket.in();
    }

    /** Whether that member is in the same term, so that its replicas are accepted here. */
    synchronized boolean accepts(UUID owner, UUID itsTerm) {
        return term.filter(itsTerm::equals).isPresent() && list.contains(owner);
    }

    /** Whether all data members confirm this member. */
    synchronized boolean isSettled() {
        return term.isPresent() && list.stream().allMatch(one -> one.equals(self) || confirms(one));
    }

    /**
     * Applies a new member list.
     *
     * @param local the id of this member; it changes when Hazelcast has discarded the member's data
     * @param members all data members, the oldest first, this one included
     */
    synchronized void observe(UUID local, List<UUID> members) {
        if (!local.equals(self)) {
            // Before its first list it was in no other Hazelcast cluster: state that it got by then is of this one.
            if (!self.equals(NONE)) {
                leave();
            }
            self = local;
        }
        boolean fewer = !members.containsAll(list);
        list = List.copyOf(members);
        keepOnly(newcomers.keySet());
        keepOnly(given.keySet());
        keepOnly(got.keySet());
        keepOnly(offers.keySet());
        keepOnly(newest.keySet());
        majority.forgetAllBut(got.keySet());
        if (term.isPresent()) {
            leaveWithoutMajority();
        } else if (fewer) {
            founding = id();
            giveIn(NONE);
        }
        takePart();
    }

    private void keepOnly(Collection<UUID> members) {
        members.retainAll(list);
    }

    /**
     * Replies to a probe.
     *
     * @param itsStay the present stay of the sender
     */
    synchronized Answer answer(UUID requester, UUID itsStay, long nowNanos) {
        var wanted = term.or(this::candidate);
        wanted.filter(one -> !one.equals(givenIn)).ifPresent(this::giveIn);
        if (list.contains(requester)) {
            var newcomer = newcomers.get(requester);
            if (newcomer == null || !newcomer.stay().equals(itsStay)) {
                newcomer = new Newcomer(itsStay, nowNanos);
                newcomers.put(requester, newcomer);
                given.remove(requester);
            }
            if (wanted.isPresent() && mayGive(newcomer)) {
                given.computeIfAbsent(requester, one -> ticket());
            }
        }
        return new Answer(
                part(),
                Optional.of(givenIn).filter(one -> !one.equals(NONE)),
                given.getOrDefault(requester, 0L),
                founding);
    }

    private Part part() {
        if (term.isPresent()) {
            return Part.IN;
        }
        return candidate().filter(one -> isMajority(offersFor(one))).isPresent() ? Part.READY : Part.OUTSIDE;
    }

    private boolean isMajority(Collection<UUID> others) {
        return 1 + others.size() >= majority.needed();
    }

    private boolean mayGive(Newcomer newcomer) {
        return list.size() <= size && (term.isEmpty() || isConfirmedSince(newcomer.nanos()));
    }

    private void giveIn(UUID wanted) {
        given.clear();
        givenIn = wanted;
    }

    private long ticket() {
        return 1 + random.nextLong(Long.MAX_VALUE);
    }

    /**
     * Applies the reply of a member.
     *
     * @param itsStay the stay of this member when it sent the probe
     */
    synchronized void answered(UUID member, UUID itsStay, Answer answer, long sentNanos, long nowNanos) {
        if (!itsStay.equals(stay.id()) || !list.contains(member) || isOvertaken(member, sentNanos)) {
            return;
        }
        newest.put(member, sentNanos);
        if (term.isEmpty()) {
            offers.put(member, new Offer(answer, sentNanos, nowNanos));
            takePart();
        } else if (got.containsKey(member)) {
            repeated(member, answer, sentNanos);
        } else {
            offered(member, answer, sentNanos, nowNanos);
        }
        countOffers();
    }

    private boolean isOvertaken(UUID member, long sentNanos) {
        var last = newest.get(member);
        return last != null && sentNanos - last < 0;
    }

    private void repeated(UUID member, Answer answer, long sentNanos) {
        if (answer.admitsTo(term.orElseThrow())
                && answer.ticket() == got.get(member).ticket()) {
            got.put(member, new Got(answer.ticket(), answer.in()));
            majority.contacted(member, sentNanos);
        } else {
            got.remove(member);
            majority.forgetAllBut(got.keySet());
            leaveWithoutMajority();
        }
    }

    private void offered(UUID member, Answer answer, long sentNanos, long nowNanos) {
        var before = offers.get(member);
        if (!answer.admitsTo(term.orElseThrow())) {
            offers.remove(member);
        } else if (before == null || before.answer().ticket() != answer.ticket()) {
            offers.put(member, new Offer(answer, sentNanos, nowNanos));
        } else {
            offers.put(member, new Offer(answer, sentNanos, before.nanos()));
        }
    }

    /** Counts a ticket once the present majority has confirmed after it came, so no moment is without a majority. */
    private void countOffers() {
        if (term.isPresent()) {
            var sure = offers.entrySet().stream()
                    .filter(one -> isConfirmedSince(one.getValue().nanos()))
                    .toList();
            sure.forEach(one -> count(one.getKey(), one.getValue()));
        }
    }

    private void count(UUID member, Offer offer) {
        got.put(member, new Got(offer.answer().ticket(), offer.answer().in()));
        majority.contacted(member, offer.sentNanos());
        offers.remove(member);
    }

    private boolean isConfirmedSince(long nanos) {
        return 1 + majority.contactedSince(got.keySet(), nanos) >= majority.needed();
    }

    /**
     * The term that the members of one list would begin; none while one of them is in a term and can admit the others.
     */
    private Optional<UUID> candidate() {
        if (list.size() < majority.needed()
                || offers.values().stream().anyMatch(offer -> offer.answer().in())) {
            return Optional.empty();
        }
        var oldest = list.getFirst();
        return oldest.equals(self)
                ? Optional.of(founding)
                : Optional.ofNullable(offers.get(oldest))
                        .map(offer -> offer.answer().founding());
    }

    private void takePart() {
        if (term.isPresent()) {
            return;
        }
        candidate()
                .filter(one -> isMajority(offersFor(one).stream()
                        .filter(member -> offers.get(member).answer().part() == Part.READY)
                        .toList()))
                .or(this::begun)
                .ifPresent(this::enter);
    }

    /** A term in which others take part, and to which a majority admits this member. */
    private Optional<UUID> begun() {
        return offers.values().stream()
                .map(Offer::answer)
                .filter(Answer::in)
                .flatMap(answer -> answer.term().stream())
                .filter(one -> isMajority(offersFor(one)))
                .findFirst();
    }

    private List<UUID> offersFor(UUID wanted) {
        return offers.entrySet().stream()
                .filter(one -> one.getValue().answer().admitsTo(wanted))
                .map(Map.Entry::getKey)
                .toList();
    }

    private void enter(UUID wanted) {
        if (!wanted.equals(givenIn)) {
            giveIn(wanted);
        }
        term = Optional.of(wanted);
        offersFor(wanted).forEach(member -> count(member, offers.get(member)));
        offers.clear();
    }

    private void leaveWithoutMajority() {
        if (!isMajority(got.keySet())) {
            leave();
        }
    }

    private void leave() {
        stay.over = true;
        stay = new Stay(id());
        founding = id();
        term = Optional.empty();
        giveIn(NONE);
        got.clear();
        offers.clear();
        majority.forgetAllBut(List.of());
    }
}
