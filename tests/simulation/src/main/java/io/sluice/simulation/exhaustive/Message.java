package io.sluice.simulation.exhaustive;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.messages.vm.ClaimVm;
import io.sluice.messages.vm.PatchVm;

/** Something under way. It may arrive at any time, or never. */
sealed interface Message {
    /** What a runner awaits, at most one of each at a time. */
    enum Request {
        SESSION,
        PERMIT,
        CLAIM,
        PATCH;

        int bit() {
            return 1 << ordinal();
        }
    }

    /** Between the runner of a VM and somebody else. */
    sealed interface OfRunner extends Message {
        int vm();

        /** Which of the VM's runners, in the order of their lives. */
        int life();

        Request request();

        /** Whether the runner still awaits the reply. */
        boolean awaited();

        /** The same, once nobody awaits the reply. */
        Message abandoned();
    }

    /** To the ledger. */
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

    /** What a runner awaits; nobody keeps one that is not awaited any more. */
    record Reply(int vm, int life, Request request, Object content, int askedAt) implements OfRunner {
        @Override
        public boolean awaited() {
            return true;
        }

        @Override
        public Message abandoned() {
            throw new IllegalStateException("a reply that nobody awaits is no message: " + this);
        }
    }

    /** From the informers to a node's ledger. */
    record Observed(String node, LedgerCommand<?> command) implements Message {}
}
