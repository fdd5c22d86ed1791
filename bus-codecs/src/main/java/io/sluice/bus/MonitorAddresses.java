package io.sluice.bus;

import io.sluice.codecs.monitor.AttachMonitorCodec;
import io.sluice.codecs.monitor.DetachMonitorCodec;
import io.sluice.codecs.monitor.MonitorStateCodec;
import io.sluice.codecs.monitor.ResizeGuestCodec;
import io.sluice.codecs.monitor.ResizeReplyCodec;
import io.sluice.codecs.monitor.UpscaleRequestCodec;
import io.sluice.messages.monitor.AttachMonitor;
import io.sluice.messages.monitor.DetachMonitor;
import io.sluice.messages.monitor.MonitorState;
import io.sluice.messages.monitor.ResizeGuest;
import io.sluice.messages.monitor.ResizeReply;
import io.sluice.messages.monitor.UpscaleRequest;
import java.time.Duration;

/** Requests to, and events of, the sessions with the monitors inside VMs. */
public final class MonitorAddresses {
    private static final Duration BY_THE_SESSION = Duration.ofSeconds(1);

    private static final int IN_FLIGHT_MAX = 10_000;

    /** Opens a monitor session, or extends it. */
    public static final RequestAddress<AttachMonitor, MonitorState> ATTACH = new RequestAddress<>(
            "monitor.attach", new AttachMonitorCodec(), new MonitorStateCodec(), BY_THE_SESSION, IN_FLIGHT_MAX);

    /** Closes a monitor session. */
    public static final RequestAddress<DetachMonitor, MonitorState> DETACH = new RequestAddress<>(
            "monitor.detach", new DetachMonitorCodec(), new MonitorStateCodec(), BY_THE_SESSION, IN_FLIGHT_MAX);

    /** Notifies the monitor that the VM has grown. */
    public static final RequestAddress<ResizeGuest, ResizeReply> UPSCALE = new RequestAddress<>(
            "monitor.upscale", new ResizeGuestCodec(), new ResizeReplyCodec(), ResizeGuest.REPLY_WITHIN, IN_FLIGHT_MAX);

    /** Requests the monitor's consent to less. */
    public static final RequestAddress<ResizeGuest, ResizeReply> DOWNSCALE = new RequestAddress<>(
            "monitor.downscale",
            new ResizeGuestCodec(),
            new ResizeReplyCodec(),
            ResizeGuest.REPLY_WITHIN,
            IN_FLIGHT_MAX);

    /** The state of a monitor session, at each change and every few seconds. */
    public static final EventAddress<MonitorState> STATE = new EventAddress<>("monitor.state", new MonitorStateCodec());

    /** A monitor sent an upscale request. */
    public static final EventAddress<UpscaleRequest> MEMORY_WANTED =
            new EventAddress<>("monitor.memory-wanted", new UpscaleRequestCodec());

    private MonitorAddresses() {}
}
