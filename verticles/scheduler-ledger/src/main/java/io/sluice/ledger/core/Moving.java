package io.sluice.ledger.core;

/** The begin and the end of a migration, on the node that the member leaves. */
final class Moving {
    private Moving() {}

    static Outcome<MoveReply> mark(NodeState state, String id) {
        return state.members()
                .find(id)
                .map(member -> mark(state, member))
                .orElseGet(() -> Outcome.of(state, MoveReply.MEMBER_UNKNOWN));
    }

    private static Outcome<MoveReply> mark(NodeState state, Member member) {
        if (!member.who().runsVm()) {
            return Outcome.of(state, MoveReply.NOT_A_VM);
        }
        return Outcome.of(member.standing().migrating() ? state : state.with(begun(member)), MoveReply.DONE);
    }

    /** The buffer goes back to the node, unless permits of lost books may still draw on it. */
    static Member begun(Member member) {
        var amounts = member.standing().contact() == Contact.RECOVERED
                ? member.amounts()
                : member.amounts().withoutBuffer();
        return member.with(amounts)
                .with(member.standing().moving(true))
                .with(member.talk().withoutLoad());
    }

    static Outcome<MoveReply> unmark(NodeState state, String id) {
        var member = state.members().find(id);
        if (member.isEmpty()) {
            return Outcome.of(state, MoveReply.MEMBER_UNKNOWN);
        }
        if (!member.get().standing().migrating()) {
            return Outcome.of(state, MoveReply.DONE);
        }
        var stays = member.get().with(member.get().standing().moving(false));
        return Outcome.of(state.with(stays), MoveReply.DONE);
    }
}
