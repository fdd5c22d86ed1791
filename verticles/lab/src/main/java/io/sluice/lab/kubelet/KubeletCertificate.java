package io.sluice.lab.kubelet;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.PemKeyCertOptions;
import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** The certificate that a kubelet signs itself where no authority has signed one, as many do. */
final class KubeletCertificate {
    private static final Duration LIFE = Duration.ofDays(365);
    private static final Duration EARLIER = Duration.ofHours(1);
    private static final int LINE = 64;

    private KubeletCertificate() {}

    /** A new one, with its key; for the address at which the kubelet listens. */
    static PemKeyCertOptions selfSigned(String node, String address, Instant now)
            throws GeneralSecurityException, IOException {
        var keys = KeyPairGenerator.getInstance("EC").generateKeyPair();
        var name = new X500Principal("CN=" + node);
        try {
            var signer = new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate());
            var certificate = new JcaX509v3CertificateBuilder(
                            name,
                            BigInteger.ONE,
                            Date.from(now.minus(EARLIER)),
                            Date.from(now.plus(LIFE)),
                            name,
                            keys.getPublic())
                    .addExtension(
                            Extension.subjectAlternativeName,
                            false,
                            new GeneralNames(new GeneralName(GeneralName.iPAddress, address)))
                    .build(signer);
            return new PemKeyCertOptions()
                    .setCertValue(pem(
                            "CERTIFICATE",
                            new JcaX509CertificateConverter()
                                    .getCertificate(certificate)
                                    .getEncoded()))
                    .setKeyValue(pem("PRIVATE KEY", keys.getPrivate().getEncoded()));
        } catch (OperatorCreationException unsupported) {
            throw new GeneralSecurityException(unsupported);
        }
    }

    private static Buffer pem(String kind, byte[] content) {
        var body = Base64.getMimeEncoder(LINE, new byte[] {'\n'}).encodeToString(content);
        return Buffer.buffer("-----BEGIN " + kind + "-----\n" + body + "\n-----END " + kind + "-----\n");
    }
}
