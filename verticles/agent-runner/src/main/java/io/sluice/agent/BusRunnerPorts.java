package io.sluice.agent;

import io.sluice.agent.core.runner.RunnerAction;
import io.sluice.agent.core.runner.RunnerEvent;
import io.sluice.agent.scheduler.SchedulerClient;
import io.sluice.agent.scrape.VmScraper;
import io.sluice.bus.AgentAddresses;
import io.sluice.bus.Bus;
import io.sluice.bus.MonitorAddresses;
import io.sluice.bus.VmAddresses;
import io.sluice.messages.agent.Decision;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.agent.ScalingRecorded;
import io.sluice.messages.monitor.DetachMonitor;
import io.vertx.core.Future;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ports over the bus. Scrapes use HTTP, and permit requests a {@link SchedulerClient}. */
final class BusRunnerPorts implements RunnerPorts {
    private static final Logger LOG = LoggerFactory.getLogger(BusRunnerPorts.class);

    private final Bus bus;
    private final SchedulerClient ledger;
    private final VmScraper probes;
    private final MonitorAssignment dispatchers;
    private final DriverRequests drivers;

    BusRunnerPorts(
            Bus bus, SchedulerClient ledger, VmScraper probes, MonitorAssignment dispatchers, DriverRequests drivers) {
        this.bus = bus;
        this.ledger = ledger;
        this.probes = probes;
        this.dispatchers = dispatchers;
        this.drivers = drivers;
    }

    @Override
    public Future<RunnerEvent> send(RunnerAction.Request request) {
        Future<RunnerEvent> answered = switch (request) {
            case RunnerAction.OpenLedgerSession(var number, var open) ->
                ledger.open(open).map(reply -> new RunnerEvent.SessionAnswered(number, reply));
            case RunnerAction.RequestPermit(var number, var permitRequest) ->
                ledger.request(permitRequest).map(reply -> new RunnerEvent.PermitAnswered(number, reply));
            case RunnerAction.ClaimFence(var number, var claim) ->
                drivers.await(bus.request(VmAddresses.CLAIM, claim))
                        .map(reply -> new RunnerEvent.ClaimAnswered(number, reply));
            case RunnerAction.PatchSize(var number, var patch, var _) ->
                drivers.await(bus.request(VmAddresses.PATCH, patch))
                        .map(reply -> new RunnerEvent.PatchAnswered(number, reply));
            case RunnerAction.UpscaleGuest(var number, var resize, var _, var at) ->
                bus.request(MonitorAddresses.UPSCALE.at(at), resize)
                        .map(reply -> new RunnerEvent.GuestAnswered(number, reply));
            case RunnerAction.DownscaleGuest(var number, var resize, var _, var at) ->
                bus.request(MonitorAddresses.DOWNSCALE.at(at), resize)
                        .map(reply -> new RunnerEvent.GuestAnswered(number, reply));
            case RunnerAction.AttachToMonitor(var number, var attach) ->
                bus.request(MonitorAddresses.ATTACH.at(dispatchers.nearest(attach.vm())), attach)
                        .map(state -> new RunnerEvent.MonitorAttached(number, state));
            case RunnerAction.Scrape scrape -> probes.read(scrape);
            case RunnerAction.ScrapeLfc scrape -> probes.read(scrape);
        };
        return answered.otherwise(lost -> new RunnerEvent.RequestFailed(request.number(), inWords(lost)));
    }

    @Override
    public void publish(Decision decision) {
        bus.publish(AgentAddresses.DECISION, decision);
    }

    @Override
    public void publish(RunnerStatus status) {
        bus.publish(AgentAddresses.STATUS, status);
    }

    @Override
    public void publish(ScalingRecorded recorded) {
        bus.publish(AgentAddresses.SCALING_RECORDED, recorded);
    }

    /** If the message is lost, the session ends by itself once no process requests it any more. */
    @Override
    public void detach(DetachMonitor request, String at) {
        bus.request(MonitorAddresses.DETACH.at(at), request)
                .onFailure(lost -> LOG.atDebug().log("No process received the request to end a monitor session."));
    }

    private static String inWords(Throwable lost) {
        return Objects.requireNonNullElseGet(lost.getMessage(), lost::toString);
    }
}
