package io.sluice.agent;

import io.sluice.agent.core.metrics.MetricsText;
import io.sluice.agent.core.runner.RunnerAction;
import io.sluice.agent.core.runner.RunnerEvent;
import io.sluice.messages.agent.Decision;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.agent.ScalingRecorded;
import io.sluice.messages.monitor.DetachMonitor;
import io.sluice.shell.Shell;
import io.vertx.core.Context;
import io.vertx.core.Deployable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.concurrent.atomic.LongAdder;

/** An agent whose scrapes get their reply in this process, one turn of the event loop later; all else uses the bus. */
public final class FedAgent {
    private FedAgent() {}

    /**
     * Returns an agent that is not deployed yet.
     *
     * @param text the text of each scrape
     * @param scrapes counts the scrapes
     */
    public static Deployable of(AgentConfig config, Shell shell, String text, LongAdder scrapes) {
        return new AgentVerticle(config, shell, ports -> new Fed(ports, Vertx.currentContext(), text, scrapes));
    }

    private record Fed(RunnerPorts behind, Context context, String text, LongAdder scrapes) implements RunnerPorts {
        @Override
        public Future<RunnerEvent> send(RunnerAction.Request request) {
            if (!(request instanceof RunnerAction.Scrape(var number, var _, var _))) {
                return behind.send(request);
            }
            scrapes.increment();
            Promise<RunnerEvent> promise = Promise.promise();
            context.runOnContext(turn -> promise.complete(new RunnerEvent.Scraped(number, MetricsText.read(text))));
            return promise.future();
        }

        @Override
        public void publish(ScalingRecorded recorded) {
            behind.publish(recorded);
        }

        @Override
        public void publish(Decision decision) {
            behind.publish(decision);
        }

        @Override
        public void publish(RunnerStatus status) {
            behind.publish(status);
        }

        @Override
        public void detach(DetachMonitor request, String at) {
            behind.detach(request, at);
        }
    }
}
