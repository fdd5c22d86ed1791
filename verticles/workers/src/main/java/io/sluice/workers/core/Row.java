package io.sluice.workers.core;

/** A change that must be durable before anything that follows from it. */
public sealed interface Row {
    /** Names the row; a later one of the same key replaces it. */
    String key();

    /** A worker as it is now. */
    record OfWorker(Worker worker) implements Row {
        @Override
        public String key() {
            return "worker/" + worker.id();
        }
    }

    /** An instance as it is now. */
    record OfInstance(Instance instance) implements Row {
        @Override
        public String key() {
            return "instance/" + instance.id();
        }
    }

    /** An instance that runs until its successor does. */
    record OfReplaced(Instance instance) implements Row {
        @Override
        public String key() {
            return "replaced/" + instance.id();
        }
    }

    /** An order that is not acknowledged. */
    record OfOrder(Order order) implements Row {
        @Override
        public String key() {
            return "order/" + order.worker() + "/" + order.seq();
        }
    }

    /** A token by which machines enroll. */
    record OfToken(JoinToken token) implements Row {
        @Override
        public String key() {
            return "token/" + token.id();
        }
    }

    /** A row that is no more. */
    record Removed(String key) implements Row {}

    /** The removal of a row. */
    default Removed removal() {
        return new Removed(key());
    }
}
