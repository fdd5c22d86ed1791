package io.sluice.agent;

import io.sluice.shell.Dumps;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.concurrent.Callable;

/** The agent's source of dumps. It reads the VMs one by one, on the context of their hosts. */
final class AgentDump implements Dumps.Source {
    private static final String GONE = "null";

    private final Context context;
    private final RunnerHosts hosts;

    AgentDump(Context context, RunnerHosts hosts) {
        this.context = context;
        this.hosts = hosts;
    }

    @Override
    public Future<List<String>> keys() {
        return onContext(hosts::labels);
    }

    @Override
    public Future<String> read(String key) {
        return onContext(() -> hosts.named(key).map(RunnerHost::dump).orElse(GONE));
    }

    private <T> Future<T> onContext(Callable<T> read) {
        Promise<T> answer = Promise.promise();
        context.runOnContext(turn -> {
            try {
                answer.complete(read.call());
            } catch (Exception fault) {
                answer.fail(fault);
            }
        });
        return answer.future();
    }
}
