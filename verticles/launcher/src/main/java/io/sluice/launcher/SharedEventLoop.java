package io.sluice.launcher;

import io.vertx.core.Context;
import io.vertx.core.Deployable;
import io.vertx.core.Future;
import io.vertx.core.Promise;

/** Runs verticles on one event loop, so that a message between them wakes no other thread. */
final class SharedEventLoop {
    private volatile Context first;

    /** The verticle on the event loop of the first one that was deployed through this object. */
    Deployable of(Deployable verticle) {
        return new Deployable() {
            private Context home;

            @Override
            public Future<?> deploy(Context own) throws Exception {
                if (first == null) {
                    first = own;
                }
                home = first;
                return home == own ? verticle.deploy(own) : there(() -> verticle.deploy(home));
            }

            @Override
            public Future<?> undeploy(Context own) throws Exception {
                return home == own ? verticle.undeploy(own) : there(() -> verticle.undeploy(home));
            }
        };
    }

    private interface Step {
        Future<?> run() throws Exception;
    }

    private Future<?> there(Step step) {
        var done = Promise.<Object>promise();
        first.runOnContext(turn -> {
            try {
                step.run().<Object>map(ended -> ended).onComplete(done);
            } catch (Exception failed) {
                done.fail(failed);
            }
        });
        return done.future();
    }
}
