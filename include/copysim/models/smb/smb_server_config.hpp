#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <tuple>

#include <copysim/models/parameter.hpp>
#include <copysim/models/smb/redirector_config.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// What a server makes of a file that its client opened without buffering.
enum class NonCachedOpen : std::uint8_t {
  write_through,  ///< reads go through the server's cache, each write waits for the disk
  cached,         ///< the flag is not passed on: writes are written lazily
};
[[nodiscard]] std::string_view to_string(NonCachedOpen rule);
constexpr std::array<NonCachedOpen, 2> all_values(NonCachedOpen) {
  return {NonCachedOpen::write_through, NonCachedOpen::cached};
}

/// The SMB server of one system: section `server` of its sheet.
struct SmbServerConfig {
  SmbVersion version = SmbVersion::nt_lm_0_12;  ///< the highest that this system speaks

  // SMB1.
  /// Requests that one client may have outstanding. 10 on client systems (documented: KB926646),
  /// 50 on servers (documented: OPENSPEC-SMB).
  int max_mpx = 10;
  /// MaxBufferSize: 16,644 (documented: OPENSPEC-SMB); 4,356 on NT 4.0 and small machines
  /// (measured: MCPMAG).
  Bytes max_buffer{16644};
  bool large_reads = true;   ///< CAP_LARGE_READX: reads beyond MaxBufferSize (MS-SMB 3.2.4.4.1)
  bool large_writes = true;  ///< CAP_LARGE_WRITEX; NT 4.0: no (4,292 = 4,356 - 64, MCPMAG)

  bool signing = false;  ///< every message must be signed
  /// Every message must be encrypted, from SMB 3.0 on (EncryptData, MS-SMB2 3.3.1.5; Samba: `smb
  /// encrypt = required`).
  bool encryption = false;

  /// Takes the algorithm for compression that a client offers, from SMB 3.1.1 on: Windows 11 and
  /// Server 2022 (documented: Microsoft, SMB compression).
  bool compression = false;
  /// The share asks its clients for it (SMB2_SHAREFLAG_COMPRESS_DATA, MS-SMB2 2.2.10; documented:
  /// Set-SmbShare, CompressData).
  bool compress_share = false;

  // SMB2.
  /// MaxReadSize and MaxWriteSize from 2.1 on; 2.002 has 65,536 (documented: MS-SMB2).
  Bytes max_io{65536};
  /// Credits that a client holds when its session is set up, more with each answer, and at most.
  /// One at connect is documented (MS-SMB2 3.3.1.2); the rest is inferred from the limits of later
  /// systems, 128 to 2,048 on desktops and 512 to 8,192 on servers (SAMBA-LIST).
  int credits_initial = 1;
  int credits_growth = 1;
  int credits_maximum = 128;
  /// Copies within the server (FSCTL_SRV_COPYCHUNK): chunks in one request (none: not served),
  /// bytes of one chunk, and of all in one request. 256, 1 MiB and 16 MiB in Windows since Server
  /// 2008 R2 and in Samba (documented: Samba, smb2_ioctl_network_fs.c; MS-SMB2 3.3.5.15.6 names the
  /// limits).
  int copy_chunks = 256;
  Bytes copy_chunk = 1_MiB;
  Bytes copy_total = 16_MiB;

  /// Grants oplocks or leases: clients may cache what nobody else has open (`OplockTable`). On by
  /// default in Windows (EnableOplocks, KB296264) and in Samba (smb.conf: oplocks, smb2 leases).
  bool oplocks = true;
  /// Threads that serve requests: MaxThreadsPerQueue (documented for Server 2003, R).
  int worker_threads = 20;
  NonCachedOpen non_cached_open = NonCachedOpen::write_through;
  /// Inferred: with the client's share, the wire's latency and the network's work a LAN request
  /// turns around in 0.6 ms, the upper end of 0.2 to 0.6 ms (`mechanisms.md` 6.3).
  Duration request_cpu = 170us;
  /// What creating a file costs beyond another request: names, attributes, access rights and the
  /// table of opens. Zero unless a sheet fits it; the file system's own work is its own.
  Duration create_cpu{0};
  /// What an SMB1 write costs beyond that. No source tells it; zero unless a sheet fits it.
  Duration smb1_write_cpu{0};
  /// Copying of data, besides what the file cache itself copies. Zero (inferred): the server sends
  /// from and receives into the pages of the cache.
  Bandwidth copy{0};

  static constexpr auto parameters = std::tuple{
      parameter("version", &SmbServerConfig::version, "highest SMB version it speaks"),
      parameter("max_mpx", &SmbServerConfig::max_mpx, "requests outstanding per client, SMB1",
                between(1, 65535)),
      parameter("max_buffer", &SmbServerConfig::max_buffer, "MaxBufferSize, SMB1",
                between(Bytes{1024}, Bytes{65535})),
      parameter("large_reads", &SmbServerConfig::large_reads, "reads beyond MaxBufferSize"),
      parameter("large_writes", &SmbServerConfig::large_writes, "writes beyond MaxBufferSize"),
      parameter("signing", &SmbServerConfig::signing, "asks for signed messages"),
      parameter("encryption", &SmbServerConfig::encryption,
                "asks for encrypted messages, from SMB 3.0 on"),
      parameter("compression", &SmbServerConfig::compression,
                "takes the algorithm for compression that a client offers, from SMB 3.1.1 on"),
      parameter("compress_share", &SmbServerConfig::compress_share,
                "the share asks clients for compressed reads and writes"),
      parameter("max_io", &SmbServerConfig::max_io, "largest read and write, SMB2",
                between(Bytes{65536}, Bytes{8388608})),
      parameter("credits_initial", &SmbServerConfig::credits_initial,
                "credits of a new session, SMB2", between(1, 65535)),
      parameter("credits_growth", &SmbServerConfig::credits_growth,
                "additional credits per answer, SMB2", between(0, 65535)),
      parameter("credits_maximum", &SmbServerConfig::credits_maximum, "credits at most, SMB2",
                between(1, 65535)),
      parameter("copy_chunks", &SmbServerConfig::copy_chunks,
                "chunks in one request for a copy on the server, SMB2; 0: not served",
                between(0, 65535)),
      parameter("copy_chunk", &SmbServerConfig::copy_chunk, "bytes of such a chunk at most",
                between(1_B, 1024_MiB)),
      parameter("copy_total", &SmbServerConfig::copy_total, "bytes of such a request at most",
                between(1_B, 1024_MiB)),
      parameter("oplocks", &SmbServerConfig::oplocks,
                "grants oplocks or leases, without which clients cache nothing"),
      parameter("worker_threads", &SmbServerConfig::worker_threads, "threads that serve requests",
                between(1, 65535)),
      parameter("non_cached_open", &SmbServerConfig::non_cached_open,
                "what a non-cached open of a client becomes"),
      parameter("request_cpu", &SmbServerConfig::request_cpu, "processor time of a request",
                at_least(Duration{0})),
      parameter("create_cpu", &SmbServerConfig::create_cpu,
                "processor time of creating a file beyond that of another request",
                at_least(Duration{0})),
      parameter("smb1_write_cpu", &SmbServerConfig::smb1_write_cpu,
                "processor time of an SMB1 write beyond that of another request",
                at_least(Duration{0})),
      parameter("copy", &SmbServerConfig::copy, "copying besides the cache's; 0: none",
                at_least(Bandwidth{0})),
  };
};

}  // namespace copysim
