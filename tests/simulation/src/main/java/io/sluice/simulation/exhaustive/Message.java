package io.sluice.simulation.exhaustive;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.vm.ClaimVm;
import io.sluice.messages.vm.PatchVm;

/** A message under way. It may arrive at any time, or never. */
sealed interface Message {
    /** The kinds of requests of a runner, of which it awaits at most one each. */
    enum Request {
        SESSION,
        PERMIT,
        CLAIM,
        PATCH;

        int bit() {
            return 1 << ordinal();
        }
    }

    /** A message that may be awaited: a request, or the reply to it. */
    sealed interface Exchanged extends Message {
        /** Whether the reply is still awaited. */
        boolean awaited();

        /** The same message, with its reply not awaited any more. */
        Message abandoned();
    }

    /** A reply; one that is not awaited any more is dropped. */
    sealed interface Answer extends Exchanged {
        @Override
        default boolean awaited() {
            return true;
        }

        @Override
        default Message abandoned() {
            throw new IllegalStateException("a reply that is not awaited is no message: " + this);
        }
    }

    /** A message between the runner of a VM and another part. */
    sealed interface OfRunner extends Exchanged {
        int vm();

        /** Which of the VM's runners, counted in the order of their starts. */
        int life();

        Request request();
    }

    /** A request to the ledger. */
    record ToLedger(int vm, int life, LedgerCommand<?> command, int sentAt, boolean awaited) implements OfRunner {
        @Override
        public Request request() {
            return command instanceof LedgerCommand.Open ? Request.SESSION : Request.PERMIT;
        }

        @Override
        public Message abandoned() {
            return new ToLedger(vm, life, command, 0, false);
        }
    }

    /** A fence to be written. */
    record ToClaim(int vm, int life, ClaimVm claim, boolean awaited) implements OfRunner {
        @Override
        public Request request() {
            return Request.CLAIM;
        }

        @Override
        public Message abandoned() {
            return new ToClaim(vm, life, claim, false);
        }
    }

    /** A patch to be applied. */
    record ToPatch(int vm, int life, PatchVm patch, boolean awaited) implements OfRunner {
        @Override
        public Request request() {
            return Request.PATCH;
        }

        @Override
        public Message abandoned() {
            return new ToPatch(vm, life, patch, false);
        }
    }

    /** A reply that a runner awaits. */
    record Reply(int vm, int life, Request request, Object content, int requestedAt) implements OfRunner, Answer {}

    /** A request of a process that places pods: to hold room, or to bind or to touch a pod. */
    record OfPlacer(int placer, Object request, boolean awaited) implements Exchanged {
        @Override
        public Message abandoned() {
            return new OfPlacer(-1, request, false);
        }

        boolean toLedger() {
            return request instanceof HoldRoom;
        }
    }

    /** A reply that such a process awaits. */
    record ToPlacer(int placer, Object content) implements Answer {}

    /** What reaches a node's ledger without a reply: an observation, a full list, the release of a hold. */
    record Observed(String node, LedgerCommand<?> command) implements Message {}
}
